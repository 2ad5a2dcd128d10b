import type { OneRosterCollection } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { academicSessions } from '../roster/academic-sessions.ts'
import { classes } from '../roster/classes.ts'
import type { Parents } from '../roster/collections.ts'
import { orgs } from '../roster/orgs.ts'
import type { RosterClass } from '../roster/roster-class.ts'
import { getSchool, isRecord, type RosterContext } from '../roster/roster-context.ts'
import { selectUsers } from '../roster/users.ts'
import { gradebookClasses } from './gradebook-classes.ts'

/** The collections of the gradebook. */
export const gradebookCollections = {
  categories: gradebookClasses.category,
  lineItems: gradebookClasses.lineItem,
  results: gradebookClasses.result,
  scoreScales: gradebookClasses.scoreScale,
  assessmentLineItems: gradebookClasses.assessmentLineItem,
  assessmentResults: gradebookClasses.assessmentResult,
} as const satisfies Partial<Record<OneRosterCollection, RosterClass>>

const parent = (parents: Parents, name: string) => parents[name] ?? ''

const ofClass = (context: RosterContext, parents: Parents) =>
  isRecord(context, 'class', sql`o.class_id`, parent(parents, 'classId'))

/** Which objects of its collection a nested list has, by the id of its operation. A category is that of every class. */
export const gradebookConditions: Readonly<Record<string, (context: RosterContext, parents: Parents) => Sql>> = {
  getCategoriesForClass: () => sql`true`,
  getLineItemsForClass: ofClass,
  getResultsForClass: ofClass,
  getScoreScalesForClass: (context, parents) => sql`(o.entry_id is null or ${ofClass(context, parents)})`,
  getScoreScalesForSchool: (context, parents) => sql`o.class_id in (
    select c.id from (${classes.source(context)}) c
     where ${isRecord(context, 'org', getSchool(context, sql`c.department`), parent(parents, 'schoolId'))})`,
  getResultsForLineItemForClass: (context, parents) =>
    sql`${ofClass(context, parents)} and o.parent = ${parent(parents, 'lineItemId')}`,
  getResultsForStudentForClass: (context, parents) =>
    sql`${ofClass(context, parents)} and ${isRecord(context, 'user', sql`o.student_id`, parent(parents, 'studentId'))}`,
  getResultsForAcademicSessionForClass: (context, parents) => sql`
    ${ofClass(context, parents)} and o.parent in (
      select i.sourced_id from (${gradebookClasses.lineItem.source(context)}) i
       where ${parent(parents, 'academicSessionId')} in (i.content ->> 'academicSession', i.content ->> 'gradingPeriod'))`,
}

const students = selectUsers(['student'])

/** The objects that the parameters of a path name, by the names of the parameters. */
const parentClasses: Readonly<Record<string, RosterClass>> = {
  classId: classes,
  schoolId: orgs,
  studentId: students,
  academicSessionId: academicSessions,
  lineItemId: gradebookClasses.lineItem,
}

/** The condition that every parent of a nested address of the gradebook is there. */
export function areParentsThere(context: RosterContext, parents: Parents): Sql {
  return Object.entries(parents)
    .filter(([name]) => name in parentClasses)
    .map(([name, id]) => {
      const of = parentClasses[name] as RosterClass
      return sql`exists (select from (${of.source(context)}) o where ${of.isObject(context, id)})`
    })
    .reduce((all, each) => sql`${all} and ${each}`, sql`true`)
}
