import { assessmentPlan, assessmentResult, studentGroup } from '@matricula/contract/record-types'
import { requireOwn } from '../../../record-engine/index.ts'
import { type RecordMethod, recordMethod } from '../../../resource-api/index.ts'
import { listChangedMembers, listDifferences, listLineItems, requireLineItem } from './put-line-items.ts'
import { takeOverLineItem } from './take-over.ts'

const lineItem = { type: 'string', required: true, about: 'The sourcedId of the line item.' } as const

/** The methods of line items that learning platforms have put. */
export const lineItemMethods: readonly RecordMethod[] = [
  recordMethod({
    path: 'education.education.api.get_line_items',
    rights: [
      { type: studentGroup, right: 'read' },
      { type: assessmentResult, right: 'read' },
    ],
    summary: 'The line items that learning platforms have put for a group, with the plans that were made of them.',
    parameters: { student_group: { type: 'string', required: true } },
    result: {
      type: 'array',
      description:
        'Objects with `line_item`, `title`, `category`, `due_date`, `maximum`, `assessment_plan`, `taken_on`, and `changes`: how many members and results differ from what was taken over.',
    },
    run: async (engine, { student_group }) => {
      await requireOwn(engine, studentGroup, student_group)
      const told: object[] = []
      for (const item of await listLineItems(engine, { group: student_group })) {
        const changes =
          item.assessment_plan === null
            ? 0
            : listChangedMembers(item).length + (await listDifferences(engine, item)).length
        told.push({
          line_item: item.sourced_id,
          title: item.title,
          category: item.category,
          due_date: item.due_day,
          maximum: item.maximum,
          assessment_plan: item.assessment_plan,
          taken_on: item.assessment_plan === null ? null : item.taken_on,
          changes,
        })
      }
      return told
    },
  }),
  recordMethod({
    path: 'education.education.api.get_line_item_changes',
    rights: [
      { type: studentGroup, right: 'read' },
      { type: assessmentPlan, right: 'read' },
      { type: assessmentResult, right: 'read' },
    ],
    summary: 'What a learning platform has changed of a line item and its results since they were taken over.',
    parameters: { line_item: lineItem },
    result: {
      type: 'object',
      description:
        '`assessment_plan`, `taken_on`, `members` of the line item that differ, and `results`: objects with `student`, `taken` and `now`.',
    },
    run: async (engine, args) => {
      const item = await requireLineItem(engine, args.line_item)
      return {
        assessment_plan: item.assessment_plan,
        taken_on: item.assessment_plan === null ? null : item.taken_on,
        members: listChangedMembers(item),
        results: await listDifferences(engine, item),
      }
    },
  }),
  recordMethod({
    path: 'education.education.api.take_over_line_item',
    rights: [
      { type: studentGroup, right: 'read' },
      { type: assessmentPlan, right: 'create' },
      { type: assessmentPlan, right: 'submit' },
      { type: assessmentResult, right: 'create' },
      { type: assessmentResult, right: 'write' },
    ],
    summary:
      'Takes a line item over into an Assessment Plan, its results as drafts; again, it brings what has changed since.',
    verbs: ['POST', 'PUT'],
    parameters: {
      line_item: lineItem,
      course: { type: 'string', about: 'Needed for a homeroom, which has no course.' },
      assessment_group: { type: 'string', about: 'The root of the Assessment Groups by default.' },
      grading_scale: { type: 'string', about: 'That of the course by default.' },
      assessment_criteria: { type: 'string', about: 'The criterion; by default that with the title of the line item.' },
      maximum_score: { type: 'number', about: 'By default that of the line item, or 100.' },
    },
    result: {
      type: 'object',
      description:
        '`assessment_plan`, how many results were `created`, `updated` and `unchanged`, and `refused`: objects with `student` and `reason`.',
    },
    run: (engine, args) =>
      takeOverLineItem(engine, {
        lineItem: args.line_item,
        course: args.course || null,
        assessmentGroup: args.assessment_group || null,
        gradingScale: args.grading_scale || null,
        criterion: args.assessment_criteria || null,
        maximum: args.maximum_score,
      }),
  }),
]
