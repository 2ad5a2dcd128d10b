import type { OneRosterCollection } from '@matricula/contract'
import { type Sql, sql } from '../../../database/index.ts'
import { academicSessions, selectTerms } from './academic-sessions.ts'
import { classes, isClassOfSchool } from './classes.ts'
import { courses, isCourseOfSchool } from './courses.ts'
import { demographics } from './demographics.ts'
import { enrollments, isEnrollmentOfSchool } from './enrollments.ts'
import { orgs } from './orgs.ts'
import type { RosterClass } from './roster-class.ts'
import { isRecord, type RosterContext, sourcedId } from './roster-context.ts'
import { hasRole, selectUsers } from './users.ts'

/** A list of objects: all of a class, or those that meet a condition over the alias `o`. */
export interface Collection {
  readonly of: RosterClass
  readonly where?: (context: RosterContext) => Sql
}

const ofType = (type: string) => () => sql`o.type = ${type}`

/** The collections of rostering. */
export const rosterCollections = {
  academicSessions: { of: academicSessions },
  terms: { of: academicSessions, where: ofType('term') },
  gradingPeriods: { of: academicSessions, where: ofType('gradingPeriod') },
  orgs: { of: orgs },
  schools: { of: orgs, where: ofType('school') },
  courses: { of: courses },
  classes: { of: classes },
  enrollments: { of: enrollments },
  demographics: { of: demographics },
  users: { of: selectUsers(['student', 'instructor', 'guardian', 'staff']) },
  // Every record of a student has that role.
  students: { of: selectUsers(['student']) },
  teachers: { of: selectUsers(['student', 'instructor']), where: (context) => hasRole(context, 'teacher') },
} as const satisfies Partial<Record<OneRosterCollection, Collection>>

/** The parents in the address of a nested list, by the names of the path's parameters. */
export type Parents = Readonly<Record<string, string>>

type NestedCondition = (context: RosterContext, parents: Parents) => Sql

const parent = (parents: Parents, name: string) => parents[name] ?? ''

/** Whether the current members of a class, in a role, have the user `o`. */
function isMember(context: RosterContext, role: string, classId: string): Sql {
  return sql`o.id in (
    select e.user_id from (${enrollments.source(context)}) e
     where e.role = ${role} and e.status = 'active' and ${isRecord(context, 'class', sql`e.class_id`, classId)})`
}

/** Whether a user is now a member of the class `o`, in one role or any. */
function hasMember(context: RosterContext, userId: string, role: string | null): Sql {
  return sql`o.id in (
    select e.class_id from (${enrollments.source(context)}) e
     where e.status = 'active' and (${role}::text is null or e.role = ${role})
       and ${isRecord(context, 'user', sql`e.user_id`, userId)})`
}

/** Whether a class belongs to a school, both by their sourcedIds. */
function isClassThere(context: RosterContext, parents: Parents): Sql {
  return sql`exists (
    select from (${classes.source(context)}) o
     where ${classes.isObject(context, parent(parents, 'classId'))} and ${isClassOfSchool(context, parent(parents, 'schoolId'))})`
}

const isSchool = (context: RosterContext, id: string) => sql`exists (
  select from (${orgs.source(context)}) o where o.type in ('school', 'district') and ${orgs.isObject(context, id)})`

const selectMembers =
  (role: string): NestedCondition =>
  (context, parents) =>
    sql`${isMember(context, role, parent(parents, 'classId'))} and ${hasRole(context, role)}`

const membersInSchool =
  (role: string): NestedCondition =>
  (context, parents) =>
    sql`${selectMembers(role)(context, parents)} and ${isClassThere(context, parents)}`

/** Which objects of its collection a nested list has, by the id of its operation. */
export const nestedConditions: Readonly<Record<string, NestedCondition>> = {
  getClassesForCourse: (context, parents) => isRecord(context, 'course', sql`o.course_id`, parent(parents, 'courseId')),
  getClassesForSchool: (context, parents) => isClassOfSchool(context, parent(parents, 'schoolId')),
  getCoursesForSchool: (context, parents) => isCourseOfSchool(context, parent(parents, 'schoolId')),
  getEnrollmentsForSchool: (context, parents) => isEnrollmentOfSchool(context, parent(parents, 'schoolId')),
  getStudentsForSchool: (context, parents) =>
    sql`o.status = 'active' and ${hasRole(context, 'student', parent(parents, 'schoolId'))}`,
  getTeachersForSchool: (context, parents) =>
    sql`o.status = 'active' and ${hasRole(context, 'teacher', parent(parents, 'schoolId'))}`,
  getTermsForSchool: (context, parents) => isSchool(context, parent(parents, 'schoolId')),
  getStudentsForClassInSchool: membersInSchool('student'),
  getTeachersForClassInSchool: membersInSchool('teacher'),
  getEnrollmentsForClassInSchool: (context, parents) =>
    sql`${isRecord(context, 'class', sql`o.class_id`, parent(parents, 'classId'))}
        and ${isEnrollmentOfSchool(context, parent(parents, 'schoolId'))}`,
  getStudentsForClass: selectMembers('student'),
  getTeachersForClass: selectMembers('teacher'),
  getClassesForStudent: (context, parents) => hasMember(context, parent(parents, 'studentId'), 'student'),
  getClassesForTeacher: (context, parents) => hasMember(context, parent(parents, 'teacherId'), 'teacher'),
  getClassesForUser: (context, parents) => hasMember(context, parent(parents, 'userId'), null),
  getClassesForTerm: (context, parents) => sql`${parent(parents, 'termId')} = any (${selectTerms(context)})`,
  getGradingPeriodsForTerm: (context, parents) =>
    sql`o.parent_id is not null
        and ${sourcedId(context, 'academicSession', sql`o.parent_id`)} || o.parent_suffix = ${parent(parents, 'termId')}`,
}
