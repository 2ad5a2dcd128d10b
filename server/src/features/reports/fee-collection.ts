import { fees, student } from '@matricula/contract/record-types'
import { sql } from '../../database/index.ts'
import { column, linkColumn, type Report, type ReportChart, type ReportRow, readReportRows } from './report.ts'

/** Charged and paid amounts per program, for fees of a period, both days included. */
export const programFeeCollection: Report = {
  name: 'Program wise Fee Collection',
  about: fees,
  reveals: [],
  roles: ['Academics User', 'Accounts User', 'Accounts Manager'],
  hasTotals: true,
  filters: { from_date: { type: 'date', required: true }, to_date: { type: 'date', required: true } },
  run: async (work, { from_date, to_date }) => {
    const columns = [
      linkColumn('Program', 'program', 'Program', 300),
      column('Fees Collected', 'paid_amount', 'Currency', 200),
      column('Outstanding Amount', 'outstanding_amount', 'Currency', 200),
      column('Grand Total', 'grand_total', 'Currency', 200),
    ]
    const rows = await readReportRows<ProgramSum>(
      work,
      sql`
        select f.program, sum(f.grand_total) - sum(f.outstanding_amount) as paid_amount,
               sum(f.outstanding_amount) as outstanding_amount, sum(f.grand_total) as grand_total
          from fees f
         where f.tenant_id = ${work.tx.tenantId} and f.docstatus = 1 and f.program is not null
           and f.posting_date between ${from_date} and ${to_date}
         group by f.program order by paid_amount desc, f.program`,
    )
    return { columns, rows, chart: rows.length === 0 ? null : buildChart(rows) }
  },
}

interface ProgramSum extends ReportRow {
  readonly program: string
  readonly paid_amount: number
  readonly outstanding_amount: number
}

function buildChart(rows: readonly ProgramSum[]): ReportChart {
  const datasets = [
    { name: 'Fees Collected', values: rows.map(({ paid_amount }) => paid_amount) },
    { name: 'Outstanding Amt', values: rows.map(({ outstanding_amount }) => outstanding_amount) },
  ]
  return { type: 'bar', data: { labels: rows.map(({ program }) => program), datasets } }
}

/** Charged and paid amounts per student, optionally of a year and program. */
export const studentFeeCollection: Report = {
  name: 'Student Fee Collection',
  about: fees,
  reveals: [student],
  roles: ['Academics User'],
  hasTotals: true,
  filters: {
    academic_year: { type: 'text', of: 'Academic Year' },
    program: { type: 'text', of: 'Program' },
  },
  run: async (work, { academic_year, program }) => ({
    columns: [
      linkColumn('Student', 'student', 'Student', 200),
      column('Student Name', 'student_name', 'Data', 150),
      column('Paid Amount', 'paid_amount', 'Currency', 150),
      column('Outstanding Amount', 'outstanding_amount', 'Currency', 150),
      column('Grand Total', 'grand_total', 'Currency', 150),
    ],
    rows: await readReportRows(
      work,
      sql`
        select f.student, s.student_name, sum(f.grand_total) - sum(f.outstanding_amount) as paid_amount,
               sum(f.outstanding_amount) as outstanding_amount, sum(f.grand_total) as grand_total
          from fees f
          join student_records s on s.tenant_id = f.tenant_id and s.name = f.student
         where f.tenant_id = ${work.tx.tenantId} and f.docstatus = 1
           and (${academic_year}::text is null or f.academic_year = ${academic_year})
           and (${program}::text is null or f.program = ${program})
         group by f.student, s.student_name order by f.student`,
    ),
  }),
}
