export { erasePerson } from './erase-person.ts'
export { exportPerson } from './export-person.ts'
export { findPerson } from './person.ts'
export { rowsOfPerson } from './person-rows.ts'
