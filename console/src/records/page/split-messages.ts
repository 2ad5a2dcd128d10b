// Generated from console/messages/split.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const en = {
title: (name: string) => `Split ${name}`,
text: "If two people were merged into this record by mistake, choose what belongs to the other person. This creates a new record for that person. Everything else stays in this record.",
links: "Linked to",
application: "Application",
student: "Student",
linkedAs: (name: string) => `linked as ${name}`,
noLinks: "This person is not linked to any application or student, so there is nothing to split.",
noneChosen: "Choose at least one link.",
name: "Name of the other person",
email: "E-mail address",
phone: "Telephone number",
split: "Split record",
done: (record: string, name: string) => `Record ${record} created for ${name}`,
nothing: "These links already belong to another person. Nothing was changed.",
}

const es: ScreenMessages = {
title: (name: string) => `Separar a ${name}`,
text: "Si dos personas se unieron por error en este registro, elija lo que pertenece a la otra. Se creará un registro nuevo para esa persona; lo demás se queda en este registro.",
links: "Vinculada a",
application: "Solicitud",
student: "Estudiante",
linkedAs: (name: string) => `vinculada como ${name}`,
noLinks: "Esta persona no está vinculada a ninguna solicitud ni estudiante: no hay nada que separar.",
noneChosen: "Elija al menos un vínculo.",
name: "Nombre de la otra persona",
email: "Correo electrónico",
phone: "Teléfono",
split: "Separar registro",
done: (record: string, name: string) => `Se creó el registro ${record} para ${name}`,
nothing: "Estos vínculos ya pertenecen a otra persona. No se cambió nada.",
}

const pt: ScreenMessages = {
title: (name: string) => `Separar ${name}`,
text: "Se duas pessoas foram unidas por engano neste registro, escolha o que pertence à outra. Um novo registro será criado para essa pessoa; o restante fica neste registro.",
links: "Vinculada a",
application: "Inscrição",
student: "Aluno",
linkedAs: (name: string) => `vinculada como ${name}`,
noLinks: "Esta pessoa não está vinculada a nenhuma inscrição nem aluno: não há nada para separar.",
noneChosen: "Escolha pelo menos um vínculo.",
name: "Nome da outra pessoa",
email: "E-mail",
phone: "Telefone",
split: "Separar registro",
done: (record: string, name: string) => `Registro ${record} criado para ${name}`,
nothing: "Estes vínculos já pertencem a outra pessoa. Nada foi alterado.",
}

type ScreenMessages = typeof en

/** The messages of the split screen, by language. */
export const splitMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
