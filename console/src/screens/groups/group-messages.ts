// Generated from console/messages/groups.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const enPlural = new Intl.PluralRules('en')
const en = {
  title: 'Members of a group',
  record: 'Full record',
  members: 'Members today',
  strength: (count: number, most: number) => `${enNumber.format(count)} of ${enNumber.format(most)} places taken`,
  noMembers: 'Nobody is in this group today.',
  others: 'Earlier and later members',
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
  pickMember: (name: string) => `Pick ${name}`,
  add: 'Add students',
  student: 'Student',
  addAbout: 'Pick one student after the other. They are added together.',
  unpick: (name: string) => `Do not add ${name}`,
  from: 'First day',
  addNow: (count: number) =>
    `Add ${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`}`,
  added: (count: number) =>
    `${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`} added`,
  group: 'Group',
  addTo: (count: number) =>
    `Add ${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`} to a group`,
  chooseGroup: 'Choose the group. The students are shown there before they are added.',
  move: (count: number) =>
    `Move ${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`}…`,
  moveTitle: 'Move to another group',
  moveText: (group: string) => `They stay members of ${group} until the day before.`,
  toGroup: 'To the group',
  moved: (count: number, group: string) =>
    `${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`} moved to ${group}`,
  notMoved: (name: string, detail: string) => `${name} was not moved: ${detail}`,
  waiting: 'Waiting list',
  noWaiting: 'Nobody waits for a place.',
  wait: 'Put on the waiting list',
  waits: (name: string) => `${name} is on the waiting list`,
  offer: 'Offer free places',
  offered: (count: number) =>
    `${count === 0 ? `No place is free, or nobody waits` : (enPlural.select(count) === 'one' ? `${enNumber.format(count)} place offered` : `${enNumber.format(count)} places offered`)}`,
  accept: 'Accept the place',
  accepted: (name: string) => `${name} is in the group from today on`,
  leave: 'Take off the list',
  left: (name: string) => `${name} was taken off the list`,
  promotion: 'Promotion',
  fromTo: (program: string, year: string, newProgram: string, newYear: string) =>
    `${program}, ${year} to ${newProgram}, ${newYear}`,
  preview: 'Preview',
  previewText: 'Shows what would become of each student, and changes nothing.',
  decision: 'Decision',
  outcome: 'Outcome',
  message: 'Reason',
  refusedOf: (refused: number, total: number) =>
    `${refused === 0 ? `Nobody is refused` : (enPlural.select(refused) === 'one' ? `${enNumber.format(refused)} student is refused` : `${enNumber.format(refused)} students are refused`)}, of ${enNumber.format(total)}`,
  start: (count: number) =>
    `Promote ${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`}…`,
  startTitle: 'Promote these students?',
  startText: 'All of them are promoted, or none where one is refused. It can be undone afterwards.',
  undo: 'Undo…',
  undoTitle: 'Undo this promotion?',
  undoText: 'All that it did is taken back, or nothing where something was changed since.',
  progress: (done: number, total: number) => `${enNumber.format(done)} of ${enNumber.format(total)}`,
  noStudents: 'Nobody is enrolled in this program and year.',
}

const esNumber = new Intl.NumberFormat('es')
const esPlural = new Intl.PluralRules('es')
const es: ScreenMessages = {
  title: 'Miembros de un grupo',
  record: 'Registro completo',
  members: 'Miembros de hoy',
  strength: (count: number, most: number) => `${esNumber.format(count)} de ${esNumber.format(most)} cupos ocupados`,
  noMembers: 'Hoy no hay nadie en este grupo.',
  others: 'Miembros anteriores y posteriores',
  since: (day: string) => `desde el ${day}`,
  until: (day: string) => `hasta el ${day}`,
  pickMember: (name: string) => `Seleccionar a ${name}`,
  add: 'Agregar estudiantes',
  student: 'Estudiante',
  addAbout: 'Elija un estudiante tras otro. Se agregan juntos.',
  unpick: (name: string) => `No agregar a ${name}`,
  from: 'Primer día',
  addNow: (count: number) =>
    `Agregar ${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante` : `${esNumber.format(count)} estudiantes`}`,
  added: (count: number) =>
    `${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante agregado` : `${esNumber.format(count)} estudiantes agregados`}`,
  group: 'Grupo',
  addTo: (count: number) =>
    `Agregar ${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante` : `${esNumber.format(count)} estudiantes`} a un grupo`,
  chooseGroup: 'Elija el grupo. Los estudiantes se muestran allí antes de agregarse.',
  move: (count: number) =>
    `Trasladar ${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante` : `${esNumber.format(count)} estudiantes`}…`,
  moveTitle: 'Trasladar a otro grupo',
  moveText: (group: string) => `Siguen en ${group} hasta el día anterior.`,
  toGroup: 'Al grupo',
  moved: (count: number, group: string) =>
    `${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante trasladado` : `${esNumber.format(count)} estudiantes trasladados`} a ${group}`,
  notMoved: (name: string, detail: string) => `No se trasladó a ${name}: ${detail}`,
  waiting: 'Lista de espera',
  noWaiting: 'Nadie espera un cupo.',
  wait: 'Poner en la lista de espera',
  waits: (name: string) => `${name} está en la lista de espera`,
  offer: 'Ofrecer cupos libres',
  offered: (count: number) =>
    `${count === 0 ? `No hay cupos libres o nadie espera` : (esPlural.select(count) === 'one' ? `${esNumber.format(count)} cupo ofrecido` : `${esNumber.format(count)} cupos ofrecidos`)}`,
  accept: 'Aceptar el cupo',
  accepted: (name: string) => `${name} está en el grupo desde hoy`,
  leave: 'Quitar de la lista',
  left: (name: string) => `Se quitó a ${name} de la lista`,
  promotion: 'Promoción',
  fromTo: (program: string, year: string, newProgram: string, newYear: string) =>
    `De ${program}, ${year} a ${newProgram}, ${newYear}`,
  preview: 'Vista previa',
  previewText: 'Muestra qué sería de cada estudiante y no cambia nada.',
  decision: 'Decisión',
  outcome: 'Resultado',
  message: 'Motivo',
  refusedOf: (refused: number, total: number) =>
    `${refused === 0 ? `No se rechaza a nadie` : (esPlural.select(refused) === 'one' ? `${esNumber.format(refused)} estudiante rechazado` : `${esNumber.format(refused)} estudiantes rechazados`)}, de ${esNumber.format(total)}`,
  start: (count: number) =>
    `Promover ${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante` : `${esNumber.format(count)} estudiantes`}…`,
  startTitle: '¿Promover a estos estudiantes?',
  startText: 'Se promueve a todos, o a ninguno si se rechaza a uno. Se puede deshacer después.',
  undo: 'Deshacer…',
  undoTitle: '¿Deshacer esta promoción?',
  undoText: 'Se revierte todo lo que hizo, o nada si algo cambió desde entonces.',
  progress: (done: number, total: number) => `${esNumber.format(done)} de ${esNumber.format(total)}`,
  noStudents: 'No hay nadie inscrito en este programa y año.',
}

const ptNumber = new Intl.NumberFormat('pt')
const ptPlural = new Intl.PluralRules('pt')
const pt: ScreenMessages = {
  title: 'Membros de uma turma',
  record: 'Registro completo',
  members: 'Membros de hoje',
  strength: (count: number, most: number) => `${ptNumber.format(count)} de ${ptNumber.format(most)} vagas ocupadas`,
  noMembers: 'Ninguém está nesta turma hoje.',
  others: 'Membros anteriores e posteriores',
  since: (day: string) => `desde ${day}`,
  until: (day: string) => `até ${day}`,
  pickMember: (name: string) => `Selecionar ${name}`,
  add: 'Adicionar estudantes',
  student: 'Estudante',
  addAbout: 'Escolha um estudante após o outro. São adicionados juntos.',
  unpick: (name: string) => `Não adicionar ${name}`,
  from: 'Primeiro dia',
  addNow: (count: number) =>
    `Adicionar ${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante` : `${ptNumber.format(count)} estudantes`}`,
  added: (count: number) =>
    `${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante adicionado` : `${ptNumber.format(count)} estudantes adicionados`}`,
  group: 'Turma',
  addTo: (count: number) =>
    `Adicionar ${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante` : `${ptNumber.format(count)} estudantes`} a uma turma`,
  chooseGroup: 'Escolha a turma. Os estudantes aparecem lá antes de serem adicionados.',
  move: (count: number) =>
    `Mudar ${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante` : `${ptNumber.format(count)} estudantes`}…`,
  moveTitle: 'Mudar para outra turma',
  moveText: (group: string) => `Continuam em ${group} até o dia anterior.`,
  toGroup: 'Para a turma',
  moved: (count: number, group: string) =>
    `${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante mudado` : `${ptNumber.format(count)} estudantes mudados`} para ${group}`,
  notMoved: (name: string, detail: string) => `${name} não foi mudado: ${detail}`,
  waiting: 'Lista de espera',
  noWaiting: 'Ninguém espera uma vaga.',
  wait: 'Pôr na lista de espera',
  waits: (name: string) => `${name} está na lista de espera`,
  offer: 'Oferecer vagas livres',
  offered: (count: number) =>
    `${count === 0 ? `Nenhuma vaga livre, ou ninguém espera` : (ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} vaga oferecida` : `${ptNumber.format(count)} vagas oferecidas`)}`,
  accept: 'Aceitar a vaga',
  accepted: (name: string) => `${name} está na turma a partir de hoje`,
  leave: 'Tirar da lista',
  left: (name: string) => `${name} saiu da lista`,
  promotion: 'Promoção',
  fromTo: (program: string, year: string, newProgram: string, newYear: string) =>
    `De ${program}, ${year} para ${newProgram}, ${newYear}`,
  preview: 'Prévia',
  previewText: 'Mostra o que seria de cada estudante e não altera nada.',
  decision: 'Decisão',
  outcome: 'Resultado',
  message: 'Motivo',
  refusedOf: (refused: number, total: number) =>
    `${refused === 0 ? `Ninguém é recusado` : (ptPlural.select(refused) === 'one' ? `${ptNumber.format(refused)} estudante recusado` : `${ptNumber.format(refused)} estudantes recusados`)}, de ${ptNumber.format(total)}`,
  start: (count: number) =>
    `Promover ${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante` : `${ptNumber.format(count)} estudantes`}…`,
  startTitle: 'Promover estes estudantes?',
  startText: 'Todos são promovidos, ou nenhum se um for recusado. Pode ser desfeito depois.',
  undo: 'Desfazer…',
  undoTitle: 'Desfazer esta promoção?',
  undoText: 'Tudo o que ela fez é revertido, ou nada se algo mudou desde então.',
  progress: (done: number, total: number) => `${ptNumber.format(done)} de ${ptNumber.format(total)}`,
  noStudents: 'Ninguém está matriculado neste programa e ano.',
}

type ScreenMessages = typeof en

/** The messages of the groups screen, by language. */
export const groupMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
