import PDFDocument from 'pdfkit'
import type { CourseScore, ReportCard } from './report-card.ts'
import { fontsFor, type ReportFonts } from './report-fonts.ts'

/** What stands on a printed report card beside its figures. */
export interface ReportPrint {
  readonly institution: string
  /** Whether scores are shown beside grades. */
  readonly showMarks: boolean
  /** Further facts, such as the batch. */
  readonly facts?: readonly (readonly [string, string])[]
  /** A text at the end. */
  readonly remark?: string | null
}

const margin = 50

/** More characters do not fit under the figures. */
const longestRemark = 2000
const longestFact = 140

const ink = '#1c2733'
const faint = '#5b6b7b'
const line = '#cfd8e0'
const band = '#eef3f7'

/** The columns of the table of a course: their headings, their places as parts of the width, and how they are aligned. */
const columns = [
  { heading: 'Assessment', left: 0, width: 0.3, align: 'left', isMark: false },
  { heading: 'Criterion', left: 0.3, width: 0.32, align: 'left', isMark: false },
  { heading: 'Score', left: 0.62, width: 0.13, align: 'right', isMark: true },
  { heading: 'Maximum', left: 0.75, width: 0.13, align: 'right', isMark: true },
  { heading: 'Grade', left: 0.88, width: 0.12, align: 'right', isMark: false },
] as const

/** Sets a report card on pages of A4, with page numbers. */
export async function reportCardPdf(card: ReportCard, print: ReportPrint): Promise<Buffer> {
  return new ReportSheet(card, print).finish()
}

class ReportSheet {
  readonly #document: PDFKit.PDFDocument
  readonly #done: Promise<Buffer>
  readonly #fonts: ReportFonts
  readonly #card: ReportCard
  readonly #print: ReportPrint
  readonly #width: number
  readonly #bottom: number

  constructor(card: ReportCard, print: ReportPrint) {
    this.#card = card
    this.#print = print
    this.#fonts = fontsFor([JSON.stringify(card), JSON.stringify(print)])
    const title = `Report card of ${card.student_name ?? card.student}, ${card.academic_term ?? card.academic_year}`
    this.#document = new PDFDocument({
      size: 'A4',
      margins: { top: margin, left: margin, right: margin, bottom: 0 },
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      info: { Title: title, Author: print.institution, Creator: 'Matricula' },
    })
    this.#width = this.#document.page.width - 2 * margin
    this.#bottom = this.#document.page.height - margin - 30
    this.#done = collected(this.#document)
  }

  async finish(): Promise<Buffer> {
    this.#head()
    for (const course of this.#card.courses) this.#course(course)
    if (this.#card.courses.length === 0) {
      this.#text('No results have been submitted for this period.', { color: faint })
      this.#document.moveDown(1)
    }
    this.#attendance()
    this.#summary()
    if (this.#print.remark) this.#remark(this.#print.remark)
    this.#numberPages()
    this.#document.end()
    return this.#done
  }

  #head(): void {
    const { institution, facts = [] } = this.#print
    const { student, student_name, program, academic_year, academic_term } = this.#card
    this.#text(institution, { bold: true, size: 18 })
    this.#text('Report card', { size: 12, color: faint })
    this.#document.moveDown(0.4)
    this.#rule(ink)
    this.#document.moveDown(0.6)
    const shown: [string, string][] = [
      ['Student', student_name ?? student],
      ['Academic year', academic_year],
      ['Student ID', student],
      ['Term', academic_term ?? 'All terms'],
      ['Program', program ?? '–'],
      ...facts.map(([label, value]): [string, string] => [label, value.slice(0, longestFact)]),
    ]
    const half = this.#width / 2
    for (let index = 0; index < shown.length; index += 2) {
      const { y } = this.#document
      const ends = shown.slice(index, index + 2).map(([label, value], side) => {
        const left = margin + side * half
        this.#text(label, { x: left, y, width: 80, size: 9, color: faint })
        this.#text(value, { x: left + 82, y, width: half - 92, bold: true })
        return this.#document.y
      })
      this.#document.y = Math.max(...ends) + 3
    }
    this.#document.moveDown(1)
  }

  #course(course: CourseScore): void {
    this.#keep(78)
    this.#courseHead(course, '')
    for (const {
      assessment_group,
      assessment_plan,
      details,
      total_score,
      maximum_score,
      grade,
    } of course.assessments) {
      const name = assessment_group ?? assessment_plan
      for (const [index, detail] of details.entries()) {
        const { assessment_criteria: criterion, score, maximum_score: maximum } = detail
        const cells = [criterion, amount(score), amount(maximum), detail.grade ?? '']
        this.#row(course, name, cells, { isFirst: index === 0 })
      }
      this.#row(course, name, ['Total', amount(total_score), amount(maximum_score), grade ?? ''], { isTotal: true })
    }
    this.#document.moveDown(1.1)
  }

  #courseHead({ course_name, percentage, grade, total_score, maximum_score }: CourseScore, suffix: string): void {
    const { y } = this.#document
    const marks = this.#print.showMarks ? `${amount(total_score)} of ${amount(maximum_score)}` : ''
    const parts = [marks, this.#print.showMarks ? percent(percentage) : '', grade ? `Grade ${grade}` : '']
    const height = Math.max(22, this.#heightOf(course_name + suffix, this.#width * 0.55, 11) + 10)
    this.#document.rect(margin, y, this.#width, height).fill(band)
    this.#text(course_name + suffix, { x: margin + 8, y: y + 6, width: this.#width * 0.55, bold: true, size: 11 })
    const result = parts.filter((part) => part !== '').join('   ')
    this.#text(result, { x: margin, y: y + 6, width: this.#width - 8, align: 'right', bold: true })
    this.#document.y = y + height + 4
    this.#cells(
      columns.map(({ heading }) => heading),
      { color: faint, size: 8 },
    )
    this.#rule(line)
    this.#document.y += 3
  }

  /** A row of a course's table, on a new page where this one is full. The assessment is named where its rows begin. */
  #row(
    course: CourseScore,
    assessment: string,
    cells: readonly string[],
    { isFirst = false, isTotal = false }: { isFirst?: boolean; isTotal?: boolean },
  ): void {
    const named = [assessment, ...cells]
    const height = Math.max(...named.map((cell, index) => this.#heightOf(cell, this.#cellWidth(index), 10))) + 4
    const isNewPage = this.#document.y + height > this.#bottom
    if (isNewPage) {
      this.#document.addPage()
      this.#courseHead(course, ' (continued)')
    }
    this.#cells(isFirst || isNewPage ? named : ['', ...cells], { bold: isTotal })
    if (!isTotal) return
    this.#rule(line)
    this.#document.y += 3
  }

  #cells(cells: readonly string[], style: { bold?: boolean; color?: string; size?: number }): void {
    const { y } = this.#document
    const ends = columns.map(({ left, align, isMark }, index) => {
      if (isMark && !this.#print.showMarks) return y
      const x = margin + 8 + left * (this.#width - 16)
      this.#text(cells[index] ?? '', { x, y, width: this.#cellWidth(index), align, ...style })
      return this.#document.y
    })
    this.#document.y = Math.max(...ends) + 3
  }

  #cellWidth(index: number): number {
    return (columns[index]?.width ?? 0) * (this.#width - 16) - 4
  }

  #attendance(): void {
    const { total, present, absent, leave, percentage } = this.#card.attendance
    this.#block(`Attendance in ${this.#card.academic_year}`, [
      ['Recorded', String(total)],
      ['Present', String(present)],
      ['Absent', String(absent)],
      ['Leave', String(leave)],
      ['Attendance', percent(percentage)],
    ])
  }

  #summary(): void {
    const { courses, percentage, grade } = this.#card.summary
    this.#block('Summary', [
      ['Courses', String(courses)],
      ...(this.#print.showMarks ? ([['Overall', percent(percentage)]] as const) : []),
      ['Overall grade', grade || '–'],
    ])
  }

  /** A heading above figures that stand side by side. */
  #block(heading: string, figures: readonly (readonly [string, string])[]): void {
    this.#keep(64)
    this.#text(heading, { bold: true, size: 11 })
    this.#document.y += 2
    this.#rule(ink)
    const y = this.#document.y + 6
    const width = this.#width / 5
    for (const [index, [label, value]] of figures.entries()) {
      const x = margin + index * width
      this.#text(value, { x, y, width: width - 6, bold: true, size: 13 })
      this.#text(label, { x, y: y + 17, width: width - 6, size: 8, color: faint })
    }
    this.#document.y = y + 44
  }

  #remark(remark: string): void {
    this.#keep(120)
    this.#text(remark.slice(0, longestRemark), { size: 9 })
  }

  #numberPages(): void {
    const { start, count } = this.#document.bufferedPageRange()
    const { student_name, student, generated_on } = this.#card
    for (let page = start; page < start + count; page += 1) {
      this.#document.switchToPage(page)
      const y = this.#document.page.height - margin
      const style = { y, size: 8, color: faint, width: this.#width, x: margin }
      this.#text(`${student_name ?? student} · made on ${generated_on.slice(0, 16)}`, style)
      this.#text(`Page ${page - start + 1} of ${count}`, { ...style, align: 'right' })
    }
  }

  /** Goes on to a new page where so many points are not left on this one. */
  #keep(height: number): void {
    if (this.#document.y + height > this.#bottom) this.#document.addPage()
  }

  #rule(color: string): void {
    const { y } = this.#document
    this.#document
      .moveTo(margin, y)
      .lineTo(margin + this.#width, y)
      .lineWidth(0.7)
      .stroke(color)
  }

  #heightOf(text: string, width: number, size: number): number {
    return this.#document
      .font(this.#fonts.bold)
      .fontSize(size)
      .heightOfString(this.#fonts.printable(text) || ' ', { width })
  }

  #text(text: string, style: TextStyle = {}): void {
    const { x = margin, y = this.#document.y, width = this.#width, align = 'left', size = 10, color = ink } = style
    this.#document
      .font(style.bold ? this.#fonts.bold : this.#fonts.regular)
      .fontSize(size)
      .fillColor(color)
      .text(this.#fonts.printable(text), x, y, { width, align })
  }
}

interface TextStyle {
  readonly x?: number
  readonly y?: number
  readonly width?: number
  readonly align?: 'left' | 'right'
  readonly size?: number
  readonly bold?: boolean
  readonly color?: string
}

function collected(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
}

const amount = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 2 })

const percent = (value: number | null) => (value === null ? '–' : `${amount(value)} %`)
