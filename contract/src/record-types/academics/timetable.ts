import { recordType } from '../record-type.ts'

export const room = recordType({
  name: 'Room',
  summary: 'A place where people are taught.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'series', series: 'HTL-ROOM-.YYYY.-.#####' },
  titleField: 'room_name',
  permissions: { Instructor: ['read'], 'Academics User': ['read', 'write', 'create', 'delete'] },
  fields: {
    room_name: { type: 'Data', label: 'Room Name', required: true },
    room_number: { type: 'Data', label: 'Room Number' },
    seating_capacity: { type: 'Data', label: 'Seating Capacity' },
  },
})

export const courseSchedule = recordType({
  name: 'Course Schedule',
  summary: 'One lesson of a group.',
  kind: 'plain',
  naming: { by: 'series', series: 'EDU-CSH-.YYYY.-#####' },
  titleField: 'title',
  sort: { field: 'schedule_date', order: 'desc' },
  reachedBy: { group: 'student_group' },
  permissions: {
    Instructor: ['read'],
    'Academics User': ['read', 'write', 'create', 'delete'],
    Student: ['read'],
    Guardian: ['read'],
  },
  fields: {
    student_group: { type: 'Link', label: 'Student Group', target: 'Student Group', required: true },
    instructor: { type: 'Link', label: 'Instructor', target: 'Instructor', required: true },
    instructor_name: {
      type: 'Read Only',
      label: 'Instructor Name',
      readOnly: true,
      fetchFrom: 'instructor.instructor_name',
    },
    naming_series: { type: 'Select', label: 'Naming Series', options: ['EDU-CSH-.YYYY.-'], setOnlyOnce: true },
    program: { type: 'Link', label: 'Program', target: 'Program', readOnly: true, fetchFrom: 'student_group.program' },
    course: { type: 'Link', label: 'Course', target: 'Course', required: true },
    color: { type: 'Color', label: 'Color', hidden: true },
    class_schedule_color: {
      type: 'Select',
      label: 'Class Schedule Color',
      options: ['blue', 'green', 'red', 'orange', 'yellow', 'teal', 'violet', 'cyan', 'amber', 'pink', 'purple'],
      default: 'blue',
    },
    schedule_date: { type: 'Date', label: 'Schedule Date', default: 'Today' },
    room: { type: 'Link', label: 'Room', target: 'Room', required: true },
    from_time: { type: 'Time', label: 'From Time', required: true },
    to_time: { type: 'Time', label: 'To Time', required: true },
    title: { type: 'Data', label: 'Title', hidden: true },
  },
})
