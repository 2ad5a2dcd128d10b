import { call } from './http.ts'
import type { ListQuestion } from './resource-api.ts'

/** Gives somebody all records of a list as a file of the browser: its columns, filters and order, as CSV. Throws `Refusal`. */
export async function exportCsv(type: string, question: ListQuestion, title: string): Promise<void> {
  const { body } = await call('POST', '/api/method/frappe.desk.reportview.export_query', {
    body: {
      doctype: type,
      file_format_type: 'CSV',
      title,
      fields: question.fields,
      filters: question.filters,
      ...(question.orFilters.length > 0 && { or_filters: question.orFilters }),
      order_by: question.order,
    },
  })
  // The text lost its mark on the way; spreadsheets need it to see that it is UTF-8.
  const address = URL.createObjectURL(new Blob(['\uFEFF', String(body).replace(/^\uFEFF/, '')], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${title}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
