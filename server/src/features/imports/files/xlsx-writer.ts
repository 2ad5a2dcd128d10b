import type { Writable } from 'node:stream'

/** Writes the rows of one sheet as a workbook. */
export function openWorkbook(_stream: Writable): { add(cells: readonly string[]): Promise<void>; end(): Promise<void> } {
  throw new Error('no workbook is read, so none is written')
}
