import { recordType } from '../record-type.ts'

export const academicYear = recordType({
  name: 'Academic Year',
  summary: 'A school year, from its first day to its last.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'field', field: 'academic_year_name' },
  permissions: {
    'Admissions Officer': ['read'],
    Instructor: ['read'],
    'Academics User': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    academic_year_name: { type: 'Data', label: 'Academic Year Name', required: true, unique: true },
    year_start_date: { type: 'Date', label: 'Year Start Date', required: true },
    year_end_date: { type: 'Date', label: 'Year End Date', required: true },
  },
})

export const academicTerm = recordType({
  name: 'Academic Term',
  summary: 'A part of an academic year.',
  kind: 'plain',
  isCatalogue: true,
  naming: { by: 'rule', field: 'title' },
  renameAllowed: true,
  titleField: 'title',
  sort: { field: 'name', order: 'desc' },
  permissions: {
    'Admissions Officer': ['read'],
    Instructor: ['read'],
    'Academics User': ['read', 'write', 'create', 'delete'],
  },
  fields: {
    academic_year: { type: 'Link', label: 'Academic Year', target: 'Academic Year', required: true },
    term_name: { type: 'Data', label: 'Term Name', required: true },
    term_start_date: { type: 'Date', label: 'Term Start Date', required: true },
    term_end_date: { type: 'Date', label: 'Term End Date', required: true },
    title: { type: 'Data', label: 'Title', unique: true, hidden: true },
  },
})
