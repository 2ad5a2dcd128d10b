import { course, program, type RecordType, topic } from '@matricula/contract/record-types'
import { identifier, type Sql, sql } from '../../database/index.ts'
import {
  newRow,
  openRows,
  type Reading,
  RecordError,
  type RecordWork,
  requireFewItems,
} from '../../record-engine/index.ts'
import { type AnyMethod, readingMethod, recordMethod } from '../../resource-api/index.ts'

const text = { type: 'string', required: true } as const
const list = { type: 'json', required: true } as const
const doctypes = 'education.education.doctype'

/** The names in a list. Throws `ValidationError` for anything but texts, `DataError` for more than 1000. */
function getNames(field: string, sent: object): string[] {
  if (Array.isArray(sent)) requireFewItems(`The argument ${field}`, sent.length)
  if (Array.isArray(sent) && sent.every((name) => typeof name === 'string')) return [...new Set(sent as string[])]
  throw new RecordError('ValidationError', `${field} must be a list of names.`)
}

const courseRows = sql`program_course_rows`
const topicRows = sql`courses_topics`
const contentRows = sql`topics_topic_content`

/** The condition that no row of a record meets a condition. */
function hasNoRow(rows: Sql, condition: Sql): Sql {
  return sql`not exists (
    select from ${rows} c where c.tenant_id = r.tenant_id and c.parent_id = r.id and ${condition})`
}

/** The names of the records that meet a condition, the one that changed last first. */
function namesWhere({ registry, reader }: Reading, type: RecordType, condition: Sql) {
  const names = reader.rows<{ name: string }>(sql`
    select r.name from ${identifier(registry.require(type.name).relation)} r
     where r.tenant_id = ${reader.tenantId} and ${condition}
     order by r.updated_at desc, r.id desc`)
  return openRows(names, (rows) => rows.map(({ name }) => name))
}

async function topicsWithout(reading: Reading, contentType: string, content: string) {
  return namesWhere(
    reading,
    topic,
    hasNoRow(contentRows, sql`c.content_type = ${contentType} and c.content = ${content}`),
  )
}

function addMessage(work: RecordWork, message: string): void {
  work.messages.push({ message, title: 'Saved', indicator: 'green', alert: true })
}

/** The methods of courses. */
export const courseMethods: readonly AnyMethod[] = [
  readingMethod({
    path: `${doctypes}.course.course.get_programs_without_course`,
    rights: [{ type: program, right: 'read' }],
    summary: 'The programs that lack a course, the one that changed last first.',
    parameters: { course: text },
    result: { type: 'array', items: { type: 'string' } },
    read: async (reading, { course: name }) =>
      namesWhere(reading, program, hasNoRow(courseRows, sql`c.course = ${name}`)),
  }),
  recordMethod({
    path: `${doctypes}.course.course.add_course_to_programs`,
    rights: [{ type: program, right: 'write' }],
    summary: 'Adds a course to programs; those that have it stay as they are.',
    parameters: { course: text, programs: list, mandatory: { type: 'any' } },
    run: async (work, { course: name, programs }) => {
      const targets = getNames('programs', programs)
      await work.lockAll(targets.map((target) => ({ type: program, name: target })))
      for (const target of targets) {
        await work.change(program, target, ({ courses }) => {
          if (courses.some((row) => row.course === name)) return
          courses.push(newRow(program.fields.courses.rows, { course: name, required: 1 }))
        })
      }
      addMessage(work, `The course ${name} is in all the selected programs.`)
      return null
    },
  }),
  readingMethod({
    path: `${doctypes}.topic.topic.get_courses_without_topic`,
    rights: [{ type: course, right: 'read' }],
    summary: 'The courses that lack a topic, the one that changed last first.',
    result: { type: 'array', items: { type: 'string' } },
    parameters: { topic: text },
    read: async (reading, { topic: name }) => namesWhere(reading, course, hasNoRow(topicRows, sql`c.topic = ${name}`)),
  }),
  recordMethod({
    path: `${doctypes}.topic.topic.add_topic_to_courses`,
    rights: [{ type: course, right: 'write' }],
    summary: 'Adds a topic to courses; those that have it stay as they are.',
    parameters: { topic: text, courses: list },
    run: async (work, { topic: name, courses }) => {
      const targets = getNames('courses', courses)
      await work.lockAll(targets.map((target) => ({ type: course, name: target })))
      for (const target of targets) {
        await work.change(course, target, ({ topics }) => {
          if (topics.some((row) => row.topic === name)) return
          topics.push(newRow(course.fields.topics.rows, { topic: name }))
        })
      }
      addMessage(work, `The topic ${name} is in all the selected courses.`)
      return null
    },
  }),
  recordMethod({
    path: `${doctypes}.topic.topic.add_content_to_topics`,
    rights: [{ type: topic, right: 'write' }],
    summary: 'Adds an article, a video or a quiz to topics; those that have it stay as they are.',
    parameters: { content_type: text, content: text, topics: list },
    run: async (work, { content_type, content, topics }) => {
      const targets = getNames('topics', topics)
      await work.lockAll(targets.map((target) => ({ type: topic, name: target })))
      for (const target of targets) {
        await work.change(topic, target, ({ topic_content: rows }) => {
          if (rows.some((row) => row.content_type === content_type && row.content === content)) return
          rows.push(newRow(topic.fields.topic_content.rows, { content_type, content }))
        })
      }
      addMessage(work, `${content_type} ${content} is in all the selected topics.`)
      return null
    },
  }),
  readingMethod({
    path: `${doctypes}.article.article.get_topics_without_article`,
    rights: [{ type: topic, right: 'read' }],
    summary: 'The topics that lack an article.',
    result: { type: 'array', items: { type: 'string' } },
    parameters: { article: text },
    read: (reading, { article }) => topicsWithout(reading, 'Article', article),
  }),
  readingMethod({
    path: `${doctypes}.quiz.quiz.get_topics_without_quiz`,
    rights: [{ type: topic, right: 'read' }],
    summary: 'The topics that lack a quiz.',
    result: { type: 'array', items: { type: 'string' } },
    parameters: { quiz: text },
    read: (reading, { quiz }) => topicsWithout(reading, 'Quiz', quiz),
  }),
  recordMethod({
    path: 'education.education.api.get_course_list_based_on_program',
    rights: [{ type: program, right: 'read' }],
    summary: 'The courses of a program, in order.',
    result: { type: 'array', items: { type: 'string' } },
    parameters: { program_name: text },
    run: async (work, { program_name }) => {
      return (await work.get(program, program_name)).courses.map(({ course: name }) => name)
    },
  }),
]
