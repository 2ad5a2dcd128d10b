import { catalogueStatuses } from './client-api/programs.ts'
import {
  CalendarDate,
  decimal,
  described,
  ExternalId,
  listOf,
  nullable,
  oneOf,
  optional,
  personName,
  record,
  text,
} from './schema.ts'

/** By its name, such as `Science - GB`, or by that without the abbreviation where only one department is called so. */
const department = optional(nullable(text('Department that offers it, by name.', 140, 1)))

const status = optional(oneOf(catalogueStatuses, 'Whether it is offered; active when absent.'))

/** A program in a catalogue file. It is found by its externalId, else by its name. */
export const CatalogueProgram = record('CatalogueProgram', 'A program of a catalogue file.', {
  name: described(personName(''), 'Name, unique in the tenant.'),
  externalId: optional(nullable(ExternalId)),
  code: optional(text('Short code.', 64)),
  description: optional(text('Description.', 4000)),
  educationLevel: optional(text('Level of education.', 64)),
  organizationProfile: optional(text('Kind of institution that offers it.', 64)),
  department,
  status,
  modality: optional(nullable(text('How it is taught.', 64))),
  startDate: optional(nullable(CalendarDate)),
  endDate: optional(nullable(CalendarDate)),
})

/** A course in a catalogue file. It is found by its externalId, else by its name. */
export const CatalogueCourse = record('CatalogueCourse', 'A course of a catalogue file.', {
  name: described(personName(''), 'Name, unique in the tenant.'),
  externalId: optional(nullable(ExternalId)),
  code: optional(text('Short code.', 64)),
  description: optional(text('Description.', 4000)),
  credits: optional(nullable(decimal('Credits.'))),
  hours: optional(nullable(decimal('Hours of teaching.'))),
  department,
  status,
  programs: optional(
    listOf(text('Name of a program.', 255, 1), 'The programs that it belongs to, by name; replaces those it had.'),
  ),
})

/** What `matricula import` reads. */
export const CatalogueFile = record('CatalogueFile', 'Programs and courses of a tenant.', {
  programs: optional(listOf(CatalogueProgram, 'Programs, made or changed.')),
  courses: optional(listOf(CatalogueCourse, 'Courses, made or changed.')),
})
