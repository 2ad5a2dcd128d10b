import type { WrittenFile } from './csv-files.ts'

/** A row by its columns; absent ones are empty. */
export type CsvRow = Readonly<Record<string, string | undefined>>

/** An object as the REST service gives it out. */
// biome-ignore lint/suspicious/noExplicitAny: objects of every class
export type RestObject = Readonly<Record<string, any>>

const id = (reference: { sourcedId?: string } | undefined) => reference?.sourcedId
const list = (values: readonly string[] | undefined) => values?.join(',')
const ids = (references: readonly { sourcedId: string }[] | undefined) =>
  list(references?.map(({ sourcedId }) => sourcedId))
const number = (value: number | undefined) => (value === undefined ? undefined : String(value))

/** The rows that an object has in each file. */
export const toRowsByCollection: Readonly<
  Record<string, (object: RestObject) => Partial<Record<WrittenFile, CsvRow[]>>>
> = {
  academicSessions: ({ parent, ...rest }) => ({ academicSessions: [{ ...rest, parentSourcedId: id(parent) }] }),
  categories: ({ weight, ...rest }) => ({ categories: [{ ...rest, weight: number(weight) }] }),
  classes: ({ grades, course, school, terms, subjects, periods, ...rest }) => ({
    classes: [
      {
        ...rest,
        grades: list(grades),
        courseSourcedId: id(course),
        schoolSourcedId: id(school),
        termSourcedIds: ids(terms),
        subjects: list(subjects),
        periods: list(periods),
      },
    ],
  }),
  courses: ({ grades, subjects, org, ...rest }) => ({
    courses: [{ ...rest, grades: list(grades), subjects: list(subjects), orgSourcedId: id(org) }],
  }),
  demographics: (object) => ({ demographics: [object] }),
  enrollments: ({ user, class: taught, school, ...rest }) => ({
    enrollments: [{ ...rest, userSourcedId: id(user), classSourcedId: id(taught), schoolSourcedId: id(school) }],
  }),
  lineItems: ({ class: taught, category, gradingPeriod, school, scoreScale, ...rest }) => ({
    lineItems: [
      {
        ...rest,
        resultValueMin: number(rest.resultValueMin),
        resultValueMax: number(rest.resultValueMax),
        classSourcedId: id(taught),
        categorySourcedId: id(category),
        gradingPeriodSourcedId: id(gradingPeriod),
        schoolSourcedId: id(school),
      },
    ],
    ...(scoreScale !== undefined && {
      lineItemScoreScales: [
        { ...leading(rest, '_scale'), lineItemSourcedId: rest.sourcedId, scoreScaleSourcedId: id(scoreScale) },
      ],
    }),
  }),
  orgs: ({ parent, ...rest }) => ({ orgs: [{ ...rest, parentSourcedId: id(parent) }] }),
  results: ({ lineItem, student, class: taught, scoreScale, score, ...rest }) => ({
    results: [
      {
        ...rest,
        score: number(score),
        lineItemSourcedId: id(lineItem),
        studentSourcedId: id(student),
        classSourcedId: id(taught),
      },
    ],
    ...(scoreScale !== undefined && {
      resultScoreScales: [
        { ...leading(rest, '_scale'), resultSourcedId: rest.sourcedId, scoreScaleSourcedId: id(scoreScale) },
      ],
    }),
  }),
  scoreScales: ({ course, class: taught, scoreScaleValue, ...rest }) => ({
    scoreScales: [
      {
        ...rest,
        courseSourcedId: id(course),
        classSourcedId: id(taught),
        scoreScaleValue: list(
          (scoreScaleValue as { itemValueLHS: string; itemValueRHS: string }[]).map(
            ({ itemValueLHS, itemValueRHS }) => `{${itemValueLHS}:${itemValueRHS}}`,
          ),
        ),
      },
    ],
  }),
  users: ({ roles, agents, grades, primaryOrg, preferredFirstName, preferredLastName, ...rest }) => ({
    users: [
      {
        ...rest,
        agentSourcedIds: ids(agents),
        grades: list(grades),
        preferredGivenName: preferredFirstName,
        preferredFamilyName: preferredLastName,
        primaryOrgSourcedId: id(primaryOrg),
      },
    ],
    roles: (roles as RestObject[]).map(({ roleType, role, org }, index) => ({
      ...leading(rest, `_role${index + 1}`),
      userSourcedId: rest.sourcedId,
      roleType,
      role,
      orgSourcedId: id(org),
    })),
  }),
}

/** What a row has in common with its object, under a sourcedId of its own. */
function leading({ sourcedId, status, dateLastModified }: RestObject, suffix: string): CsvRow {
  return { sourcedId: `${sourcedId}${suffix}`, status, dateLastModified }
}

/** A line of CSV (RFC 4180) with the values in the order of the columns. */
export function csvLine(values: readonly (string | undefined)[]): string {
  const cells = values.map((value = '') => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
  return `${cells.join(',')}\r\n`
}
