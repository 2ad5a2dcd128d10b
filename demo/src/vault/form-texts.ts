/** A text of a form in the other languages of pages. */
type Translated = readonly [es: string, pt: string, fr: string]

/** What the demo's forms say, by their English. */
const texts: Readonly<Record<string, Translated>> = {
  'Application for admission': ['Solicitud de admisión', 'Pedido de admissão', 'Demande d’admission'],
  'Takes about five minutes. You will be asked for a photo or a scan of an identity document.': [
    'Lleva unos cinco minutos. Se pide una foto o un escaneo de un documento de identidad.',
    'Leva cerca de cinco minutos. Pede-se uma foto ou digitalização de um documento de identidade.',
    'Cinq minutes environ. Une photo ou un scan d’une pièce d’identité vous sera demandé.',
  ],
  'The applicant': ['Quien solicita', 'O candidato', 'Le candidat'],
  'The family': ['La familia', 'A família', 'La famille'],
  'Anything else': ['Algo más', 'Mais alguma coisa', 'Autres informations'],
  'Full name': ['Nombre completo', 'Nome completo', 'Nom complet'],
  'Date of birth': ['Fecha de nacimiento', 'Data de nascimento', 'Date de naissance'],
  'Level applied for': ['Nivel que solicita', 'Nível pretendido', 'Niveau demandé'],
  'Primary school': ['Primaria', 'Ensino fundamental', 'École primaire'],
  'Secondary school': ['Secundaria', 'Ensino médio', 'Enseignement secondaire'],
  University: ['Universidad', 'Universidade', 'Université'],
  'Identity document': ['Documento de identidad', 'Documento de identidade', 'Pièce d’identité'],
  'A photo or a scan.': ['Una foto o un escaneo.', 'Uma foto ou digitalização.', 'Une photo ou un scan.'],
  'Name of a parent or guardian': ['Nombre de un padre o tutor', 'Nome de um responsável', 'Nom d’un parent ou tuteur'],
  'E-mail': ['Correo electrónico', 'E-mail', 'E-mail'],
  Telephone: ['Teléfono', 'Telefone', 'Téléphone'],
  'Do you need the school bus?': [
    '¿Necesita el autobús escolar?',
    'Precisa do ônibus escolar?',
    'Avez-vous besoin du car scolaire ?',
  ],
  Yes: ['Sí', 'Sim', 'Oui'],
  No: ['No', 'Não', 'Non'],
  'Nearest bus stop': ['Parada más cercana', 'Ponto mais próximo', 'Arrêt le plus proche'],
  Interests: ['Intereses', 'Interesses', 'Centres d’intérêt'],
  Music: ['Música', 'Música', 'Musique'],
  Sport: ['Deporte', 'Esporte', 'Sport'],
  Science: ['Ciencia', 'Ciência', 'Sciences'],
  'What should we know?': ['¿Qué deberíamos saber?', 'O que devemos saber?', 'Que devons-nous savoir ?'],
  'I agree that the school keeps these data to decide on the application.': [
    'Acepto que la institución guarde estos datos para decidir sobre la solicitud.',
    'Concordo que a escola guarde estes dados para decidir sobre o pedido.',
    'J’accepte que l’école conserve ces données pour décider de la demande.',
  ],
  'Health and emergency': ['Salud y emergencias', 'Saúde e emergências', 'Santé et urgences'],
  'What we need to know to look after your child.': [
    'Lo que necesitamos saber para cuidar de su hijo o hija.',
    'O que precisamos saber para cuidar de seu filho ou sua filha.',
    'Ce que nous devons savoir pour prendre soin de votre enfant.',
  ],
  'Does the student have allergies?': ['¿Tiene alergias?', 'Tem alergias?', 'L’élève a-t-il des allergies ?'],
  'Which ones?': ['¿Cuáles?', 'Quais?', 'Lesquelles ?'],
  'Telephone in an emergency': ['Teléfono de emergencia', 'Telefone de emergência', 'Téléphone en cas d’urgence'],
  'Signature of a parent or guardian': [
    'Firma de un padre o tutor',
    'Assinatura de um responsável',
    'Signature d’un parent ou tuteur',
  ],
  'Visit the school': ['Visitar la escuela', 'Visitar a escola', 'Visiter l’école'],
  'Tell us when you would like to come.': [
    'Díganos cuándo quiere venir.',
    'Diga-nos quando quer vir.',
    'Dites-nous quand vous souhaitez venir.',
  ],
  'Your name': ['Su nombre', 'Seu nome', 'Votre nom'],
  'How many people?': ['¿Cuántas personas?', 'Quantas pessoas?', 'Combien de personnes ?'],
  'Consent to an excursion': [
    'Autorización para una excursión',
    'Autorização para um passeio',
    'Autorisation de sortie',
  ],
  'The student may come along.': ['Puede participar.', 'Pode participar.', 'L’élève peut participer.'],
  'Survey of families 2024': [
    'Encuesta a las familias 2024',
    'Pesquisa com as famílias 2024',
    'Enquête auprès des familles 2024',
  ],
  'How do you like the school?': [
    '¿Qué le parece la escuela?',
    'O que acha da escola?',
    'Que pensez-vous de l’école ?',
  ],
}

/** A text in the languages of pages other than English; nothing for an empty one. Throws for a text that has none. */
export function otherLanguages(text: string): Readonly<Record<'es' | 'pt' | 'fr', string>> | null {
  if (text === '') return null
  const translated = texts[text]
  if (translated === undefined) throw new Error(`The demo has no translation of “${text}”.`)
  const [es, pt, fr] = translated
  return { es, pt, fr }
}
