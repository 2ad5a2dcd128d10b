import { ink, PrintedPages, printedNumber } from '../../pdf/index.ts'
import type { CourseScore, ReportCard } from './report-card.ts'

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

/** More characters do not fit under the figures. */
const longestRemark = 2000
const longestFact = 140

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
  const pages = await PrintedPages.open({ title: getTitle(card), author: print.institution }, [card, print])
  const foot = new ReportSheet(pages, card, print).set()
  return pages.finish(foot)
}

const getTitle = ({ student, student_name, academic_term, academic_year }: ReportCard) =>
  `Report card of ${student_name ?? student}, ${academic_term ?? academic_year}`

/** Report cards on pages of A4 as one document, each with page numbers of its own. Its bytes are taken while it grows. */
export class ReportCardsPdf {
  readonly #pages: PrintedPages
  readonly #print: ReportPrint

  private constructor(pages: PrintedPages, print: ReportPrint) {
    this.#pages = pages
    this.#print = print
  }

  static async open(title: string, print: ReportPrint): Promise<ReportCardsPdf> {
    return new ReportCardsPdf(await PrintedPages.open({ title, author: print.institution }, print), print)
  }

  async add(card: ReportCard): Promise<void> {
    await this.#pages.prepare(card)
    this.#pages.beginPart()
    this.#pages.endPart(new ReportSheet(this.#pages, card, this.#print).set())
  }

  /** The bytes that are made and were not taken yet. */
  take(): Buffer {
    return this.#pages.take()
  }

  /** Ends the document, and returns the rest of it. */
  end(): Promise<Buffer> {
    return this.#pages.end()
  }
}

class ReportSheet {
  readonly #pages: PrintedPages
  readonly #card: ReportCard
  readonly #print: ReportPrint

  constructor(pages: PrintedPages, card: ReportCard, print: ReportPrint) {
    this.#pages = pages
    this.#card = card
    this.#print = print
  }

  /** Sets the card, and returns what stands at the foot of its pages. */
  set(): string {
    this.#head()
    for (const course of this.#card.courses) this.#course(course)
    if (this.#card.courses.length === 0) {
      this.#pages.text('No results have been submitted for this period.', { color: ink.faint })
      this.#pages.y += 12
    }
    this.#attendance()
    this.#summary()
    if (this.#print.remark) this.#remark(this.#print.remark)
    const { student_name, student, generated_on } = this.#card
    return `${student_name ?? student} · made on ${generated_on.slice(0, 16)}`
  }

  #head(): void {
    const { institution, facts = [] } = this.#print
    const { student, student_name, program, academic_year, academic_term } = this.#card
    this.#pages.head(institution, 'Report card')
    const shown: [string, string][] = [
      ['Student', student_name ?? student],
      ['Academic year', academic_year],
      ['Student ID', student],
      ['Term', academic_term ?? 'All terms'],
      ['Program', program ?? '–'],
      ...getStanding(this.#card),
      ...facts.map(([label, value]): [string, string] => [label, value.slice(0, longestFact)]),
    ]
    this.#pages.facts(shown)
    this.#pages.y += 12
  }

  #course(course: CourseScore): void {
    this.#pages.keep(78)
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
    this.#pages.y += 13
  }

  #courseHead({ course_name, percentage, grade, total_score, maximum_score }: CourseScore, suffix: string): void {
    const { y } = this.#pages
    const marks = this.#print.showMarks ? `${amount(total_score)} of ${amount(maximum_score)}` : ''
    const parts = [marks, this.#print.showMarks ? percent(percentage) : '', grade ? `Grade ${grade}` : '']
    const height = Math.max(22, this.#pages.getHeight(course_name + suffix, this.#pages.width * 0.55, 11) + 10)
    this.#pages.band(height)
    this.#pages.text(course_name + suffix, {
      x: this.#pages.margin + 8,
      y: y + 6,
      width: this.#pages.width * 0.55,
      bold: true,
      size: 11,
    })
    const result = parts.filter((part) => part !== '').join('   ')
    this.#pages.text(result, {
      x: this.#pages.margin,
      y: y + 6,
      width: this.#pages.width - 8,
      align: 'right',
      bold: true,
    })
    this.#pages.y = y + height + 4
    this.#cells(
      columns.map(({ heading }) => heading),
      { color: ink.faint, size: 8 },
    )
    this.#pages.rule(ink.line)
    this.#pages.y += 3
  }

  /** A row of a course's table, on a new page where this one is full. The assessment is named where its rows begin. */
  #row(
    course: CourseScore,
    assessment: string,
    cells: readonly string[],
    { isFirst = false, isTotal = false }: { isFirst?: boolean; isTotal?: boolean },
  ): void {
    const named = [assessment, ...cells]
    const height = Math.max(...named.map((cell, index) => this.#pages.getHeight(cell, this.#cellWidth(index), 10))) + 4
    const isNewPage = this.#pages.keep(height)
    if (isNewPage) this.#courseHead(course, ' (continued)')
    this.#cells(isFirst || isNewPage ? named : ['', ...cells], { bold: isTotal })
    if (!isTotal) return
    this.#pages.rule(ink.line)
    this.#pages.y += 3
  }

  #cells(cells: readonly string[], style: { bold?: boolean; color?: string; size?: number }): void {
    const { y } = this.#pages
    const ends = columns.map(({ left, align, isMark }, index) => {
      if (isMark && !this.#print.showMarks) return y
      const x = this.#pages.margin + 8 + left * (this.#pages.width - 16)
      this.#pages.text(cells[index] ?? '', { x, y, width: this.#cellWidth(index), align, ...style })
      return this.#pages.y
    })
    this.#pages.y = Math.max(...ends) + 3
  }

  #cellWidth(index: number): number {
    return (columns[index]?.width ?? 0) * (this.#pages.width - 16) - 4
  }

  #attendance(): void {
    const { total, present, absent, excused = 0, leave, late = 0, percentage } = this.#card.attendance
    const { academic_term: term, academic_year: year } = this.#card
    this.#block(`Attendance in ${term ?? year}`, [
      ['Recorded', String(total)],
      ['Present', String(present)],
      ['Absent', String(absent)],
      ...(excused > 0 ? [['Excused', String(excused)] as const] : []),
      ['Leave', String(leave)],
      ...(late > 0 ? [['Late', String(late)] as const] : []),
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
    this.#pages.keep(64)
    this.#pages.text(heading, { bold: true, size: 11 })
    this.#pages.y += 2
    this.#pages.rule(ink.text)
    const y = this.#pages.y + 6
    const width = this.#pages.width / 5
    for (const [index, [label, value]] of figures.entries()) {
      const x = this.#pages.margin + index * width
      this.#pages.text(value, { x, y, width: width - 6, bold: true, size: 13 })
      this.#pages.text(label, { x, y: y + 17, width: width - 6, size: 8, color: ink.faint })
    }
    this.#pages.y = y + 44
  }

  #remark(remark: string): void {
    this.#pages.keep(120)
    this.#pages.text(remark.slice(0, longestRemark), { size: 9 })
  }
}

/** What the institution shows beside the marks, where it does. */
function getStanding({ grade_point_average: average, rank, posted }: ReportCard): [string, string][] {
  return [
    ...(average === undefined ? [] : [['Grade point average', printedNumber(average, 2)] as [string, string]]),
    ...(rank === undefined ? [] : [['Rank in group', `${rank.position} of ${rank.students}`] as [string, string]]),
    ...(posted === undefined
      ? []
      : [
          ['Posted marks', `Edition ${posted.edition}, issued on ${posted.issued_on.slice(0, 10)}`] as [string, string],
        ]),
  ]
}

const amount = (value: number) => printedNumber(value)

const percent = (value: number | null) => (value === null ? '–' : `${amount(value)} %`)
