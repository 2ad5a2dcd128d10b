import { call } from './http.ts'
import type { ListQuestion } from './resource-api.ts'

/** What a list is exported as. */
export type ExportFormat = 'CSV' | 'Excel'

/** Gives somebody all records of a list as a file of the browser: its columns, filters and order. Throws `CommandError`. */
export async function exportList(
  type: string,
  question: ListQuestion,
  format: ExportFormat,
  title: string,
): Promise<void> {
  const { body } = await call('POST', '/api/method/frappe.desk.reportview.export_query', {
    body: {
      doctype: type,
      file_format_type: format,
      title,
      fields: question.fields,
      filters: question.filters,
      ...(question.orFilters.length > 0 && { or_filters: question.orFilters }),
      order_by: question.order,
    },
    isFile: true,
  })
  const address = URL.createObjectURL(body)
  const link = document.createElement('a')
  link.href = address
  link.download = `${title}.${format === 'CSV' ? 'csv' : 'xlsx'}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
