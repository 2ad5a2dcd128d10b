import type { Language } from '../../messages/words.tsx'

const english = {
  title: (name: string) => `Split ${name}`,
  text: 'If two people were merged into this record by mistake, choose what belongs to the other person. A new record is made for that person; everything else stays here.',
  links: 'Linked to',
  application: 'Application',
  student: 'Student',
  linkedAs: (name: string) => `linked as ${name}`,
  noLinks: 'This person is linked to no application and no student, so there is nothing to split.',
  noneChosen: 'Choose at least one link.',
  name: 'Name of the other person',
  email: 'Email',
  phone: 'Telephone',
  split: 'Split',
  done: (name: string, record: string) => `${name} is now ${record}`,
  nothing: 'These links belong to another person already.',
}

const spanish: typeof english = {
  title: (name) => `Separar a ${name}`,
  text: 'Si dos personas se unieron por error en este registro, elija lo que pertenece a la otra. Se crea un registro nuevo para esa persona; lo demás queda aquí.',
  links: 'Vinculada a',
  application: 'Solicitud',
  student: 'Estudiante',
  linkedAs: (name) => `vinculada como ${name}`,
  noLinks: 'Esta persona no está vinculada a ninguna solicitud ni estudiante: no hay nada que separar.',
  noneChosen: 'Elija al menos un vínculo.',
  name: 'Nombre de la otra persona',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  split: 'Separar',
  done: (name, record) => `${name} es ahora ${record}`,
  nothing: 'Estos vínculos ya pertenecen a otra persona.',
}

const portuguese: typeof english = {
  title: (name) => `Separar ${name}`,
  text: 'Se duas pessoas foram unidas por engano neste registro, escolha o que pertence à outra. Um novo registro é criado para essa pessoa; o restante fica aqui.',
  links: 'Vinculada a',
  application: 'Inscrição',
  student: 'Aluno',
  linkedAs: (name) => `vinculada como ${name}`,
  noLinks: 'Esta pessoa não está vinculada a nenhuma inscrição nem aluno: não há nada para separar.',
  noneChosen: 'Escolha pelo menos um vínculo.',
  name: 'Nome da outra pessoa',
  email: 'E-mail',
  phone: 'Telefone',
  split: 'Separar',
  done: (name, record) => `${name} agora é ${record}`,
  nothing: 'Estes vínculos já pertencem a outra pessoa.',
}

/** What the split of a person says, by language. */
export const splitWords: Readonly<Record<Language, typeof english>> = { en: english, es: spanish, pt: portuguese }
