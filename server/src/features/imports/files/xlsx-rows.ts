import { UnreadableFile } from '../row-errors.ts'
import type { OpenedFile } from './table-file.ts'

/** Opens a workbook. Throws `UnreadableFile`: save the sheet as CSV instead. */
export async function openXlsx(_path: string): Promise<OpenedFile> {
  throw new UnreadableFile('broken_workbook', 'workbooks cannot be read by this version: save the sheet as CSV')
}
