import { fees, salesInvoice } from '@matricula/contract/record-types'
import { readRecord } from '../../record-engine/index.ts'
import { RecordFile, type StagedMethod, stagedMethod } from '../../resource-api/index.ts'
import { loadInvoiceLetter } from '../billing-accounts/index.ts'
import { buildFeePdf, readPrintedFee } from '../fees/index.ts'
import { defaultCompany } from '../organisation/index.ts'
import { recordPdf } from './record-pdf.ts'

const downloadPdf = stagedMethod({
  path: 'frappe.utils.print_format.download_pdf',
  rights: 'of the argument',
  isForStudents: true,
  summary:
    'A record as PDF: of Fees an invoice, or a receipt once it is paid; of a Sales Invoice the letter for its payer; of other types their fields.',
  fileType: 'application/pdf',
  parameters: {
    doctype: { type: 'string', required: true },
    name: { type: 'string', required: true },
    format: { type: 'string' },
  },
  runInStages: async (call, args) => {
    const doctype = args.doctype.trim()
    const name = args.name.trim()
    const draw = await call.transaction(async (engine) => {
      const { now } = engine
      if (doctype === fees.name) {
        const printed = await readPrintedFee(engine, name)
        engine.caller.shown?.addRecord(engine.registry.require('Fees').type, printed.fee)
        return { fileName: printed.fee.name, bytes: () => buildFeePdf(printed, now) }
      }
      const document = await readRecord(engine, doctype, name)
      const { type } = engine.registry.require(doctype)
      engine.caller.shown?.addRecord(type, document)
      const letter =
        doctype === salesInvoice.name && document.docstatus !== 0
          ? await loadInvoiceLetter(engine.tx, engine.caller.tenant, document.name)
          : null
      if (letter !== null) return { fileName: document.name, bytes: letter }
      const company = await defaultCompany(engine)
      const { tenant } = engine.caller
      const about = {
        institution: company?.name ?? tenant.slug,
        currency: company?.default_currency ?? tenant.currency,
        madeOn: now,
      }
      return { fileName: document.name, bytes: () => recordPdf(type, document, about) }
    })
    return new RecordFile(`${draw.fileName}.pdf`, 'application/pdf', await draw.bytes())
  },
})

/** The methods that print records; clients of some ages know the method by another path. */
export const printMethods: readonly StagedMethod[] = [
  downloadPdf,
  { ...downloadPdf, path: 'frappe.templates.pages.print.download_pdf' },
]
