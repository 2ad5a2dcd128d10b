/** The kinds of records that a file of rows can bring in, and that are written to such files. */
export const importKinds = [
  'students',
  'applications',
  'contacts',
  'payments',
  'programs',
  'courses',
  'enrollments',
  'attendance',
  'assessment-results',
] as const

export type ImportKindName = (typeof importKinds)[number]

/** What an institution is made of before it has people: kinds of records that files bring in too, by the command line. */
export const setupKinds = ['academic-years', 'academic-terms', 'departments', 'instructors', 'groups'] as const

/** Every kind that a file can bring in. */
export type AnyImportKind = ImportKindName | (typeof setupKinds)[number]

/** The kinds in the order in which a new institution takes them: each names records of those before it alone. */
export const institutionKinds: readonly AnyImportKind[] = [
  'academic-years',
  'academic-terms',
  'departments',
  'programs',
  'courses',
  'instructors',
  'students',
  'applications',
  'contacts',
  'groups',
  'enrollments',
  'payments',
  'attendance',
  'assessment-results',
]

/** The title of a column in English, Spanish and Portuguese. */
export type ColumnTitles = readonly [english: string, spanish: string, portuguese: string]

/**
 * The titles by which a file may call its columns, beside the names of the fields. Case, accents, blanks and underscores do not
 * count.
 */
export const columnTitles: Readonly<Record<string, ColumnTitles>> = {
  id: ['ID', 'ID interno', 'ID interno do sistema'],
  externalId: ['External ID', 'Identificador externo', 'Código externo'],
  createdAt: ['Created at', 'Creado el', 'Criado em'],
  updatedAt: ['Updated at', 'Actualizado el', 'Atualizado em'],
  name: ['Name', 'Nombre', 'Nome'],
  code: ['Code', 'Código', 'Sigla'],
  description: ['Description', 'Descripción', 'Descrição'],
  status: ['Status', 'Estado', 'Situação'],
  customFields: ['Custom fields', 'Campos personalizados', 'Campos customizados'],

  studentCode: ['Student code', 'Código del estudiante', 'Código do estudante'],
  fullName: ['Full name', 'Nombre completo', 'Nome completo'],
  givenNames: ['Given names', 'Nombres', 'Prenomes'],
  familyNames: ['Family names', 'Apellidos', 'Sobrenomes'],
  preferredName: ['Preferred name', 'Nombre preferido', 'Nome social'],
  displayName: ['Display name', 'Nombre para mostrar', 'Nome de exibição'],
  email: ['Email', 'Correo electrónico', 'E-mail'],
  phone: ['Phone', 'Teléfono', 'Telefone'],
  alternatePhone: ['Alternate phone', 'Teléfono alternativo', 'Telefone alternativo'],
  dateOfBirth: ['Date of birth', 'Fecha de nacimiento', 'Data de nascimento'],
  gender: ['Gender', 'Género', 'Gênero'],
  nationality: ['Nationality', 'Nacionalidad', 'Nacionalidade'],
  documentType: ['Document type', 'Tipo de documento', 'Tipo do documento'],
  documentNumber: ['Document number', 'Número de documento', 'Número do documento'],
  country: ['Country', 'País', 'País de residência'],
  stateProvince: ['State or province', 'Provincia', 'Estado ou província'],
  city: ['City', 'Ciudad', 'Cidade'],
  address: ['Address', 'Dirección', 'Endereço'],
  postalCode: ['Postal code', 'Código postal', 'CEP'],
  photoUrl: ['Photo address', 'Dirección de la foto', 'Endereço da foto'],
  occupation: ['Occupation', 'Ocupación', 'Ocupação'],
  education: ['Education', 'Formación', 'Escolaridade'],
  workAddress: ['Work address', 'Dirección del trabajo', 'Endereço do trabalho'],
  role: ['Role', 'Función', 'Papel'],
  relationshipLabel: ['Relationship', 'Parentesco', 'Grau de parentesco'],
  isPrimary: ['Primary contact', 'Contacto principal', 'Contato principal'],

  programId: ['Program ID', 'ID del programa', 'ID do programa'],
  programExternalId: ['Program external ID', 'Identificador externo del programa', 'Código externo do programa'],
  program: ['Program', 'Programa', 'Nome do programa'],
  academicYear: ['Academic year', 'Año académico', 'Ano letivo'],
  academicPeriod: ['Academic period', 'Período académico', 'Período letivo'],
  enrolledAt: ['Enrolled at', 'Fecha de ingreso', 'Data de ingresso'],
  withdrawnAt: ['Withdrawn at', 'Fecha de baja', 'Data de saída'],

  applicationCode: ['Application code', 'Código de la solicitud', 'Código da inscrição'],
  applicationId: ['Application ID', 'ID de la solicitud', 'ID da inscrição'],
  applicationExternalId: [
    'Application external ID',
    'Identificador externo de la solicitud',
    'Código externo da inscrição',
  ],
  contactId: ['Contact ID', 'ID del contacto', 'ID do contato'],
  studentId: ['Student ID', 'ID del estudiante', 'ID do estudante'],
  studentExternalId: ['Student external ID', 'Identificador externo del estudiante', 'Código externo do estudante'],
  studentName: ['Student name', 'Nombre del estudiante', 'Nome do estudante'],

  amount: ['Amount', 'Importe', 'Valor'],
  currency: ['Currency', 'Moneda', 'Moeda'],
  dueDate: ['Due date', 'Fecha de vencimiento', 'Data de vencimento'],
  paidAt: ['Paid at', 'Fecha de pago', 'Data de pagamento'],
  processorPaymentIntentId: ['Processor payment ID', 'ID de pago del procesador', 'ID de pagamento do processador'],

  educationLevel: ['Education level', 'Nivel educativo', 'Nível de ensino'],
  organizationProfile: ['Organization profile', 'Perfil de la institución', 'Perfil da instituição'],
  modality: ['Modality', 'Modalidad', 'Modalidade'],
  startDate: ['Start date', 'Fecha de inicio', 'Data de início'],
  endDate: ['End date', 'Fecha de fin', 'Data de término'],
  courseCount: ['Number of courses', 'Número de cursos', 'Número de disciplinas'],
  credits: ['Credits', 'Créditos', 'Créditos da disciplina'],
  hours: ['Hours', 'Horas', 'Carga horária'],
  programs: ['Programs', 'Programas', 'Programas da disciplina'],

  student: ['Student', 'Estudiante', 'Estudante'],
  enrollment_date: ['Enrollment date', 'Fecha de matrícula', 'Data de matrícula'],
  academic_year: ['Academic year', 'Año académico', 'Ano letivo'],
  academic_term: ['Academic term', 'Período académico', 'Período letivo'],
  student_category: ['Student category', 'Categoría de estudiante', 'Categoria do estudante'],
  student_batch_name: ['Intake', 'Generación', 'Turma de ingresso'],
  school_house: ['School house', 'Casa escolar', 'Casa'],
  boarding_student: ['Boarding student', 'Estudiante interno', 'Estudante interno'],
  courses: ['Courses', 'Cursos', 'Disciplinas'],
  docstatus: ['Document status', 'Estado del documento', 'Situação do documento'],
  student_group: ['Student group', 'Grupo de estudiantes', 'Turma'],
  course_schedule: ['Course schedule', 'Horario del curso', 'Horário da disciplina'],
  date: ['Date', 'Fecha', 'Data'],
  assessment_plan: ['Assessment plan', 'Plan de evaluación', 'Plano de avaliação'],
  assessment_criteria: ['Assessment criteria', 'Criterio de evaluación', 'Critério de avaliação'],
  score: ['Score', 'Puntuación', 'Nota'],
  scores: ['Scores', 'Puntuaciones', 'Notas'],
  contacts: ['Contacts', 'Contactos', 'Contatos'],
  academic_year_name: ['Academic year name', 'Nombre del año académico', 'Nome do ano letivo'],
  year_start_date: ['Year start date', 'Inicio del año', 'Início do ano'],
  year_end_date: ['Year end date', 'Fin del año', 'Término do ano'],
  academicTermExternalId: [
    'Academic term external ID',
    'Identificador externo del período académico',
    'Código externo do período letivo',
  ],
  term_name: ['Term name', 'Nombre del período', 'Nome do período'],
  term_start_date: ['Term start date', 'Inicio del período', 'Início do período'],
  term_end_date: ['Term end date', 'Fin del período', 'Término do período'],
  department_name: ['Department name', 'Nombre del departamento', 'Nome do departamento'],
  department: ['Department', 'Departamento', 'Setor'],
  departmentExternalId: [
    'Department external ID',
    'Identificador externo del departamento',
    'Código externo do departamento',
  ],
  parent_department: ['Parent department', 'Departamento superior', 'Departamento superior do setor'],
  parentExternalId: ['Parent external ID', 'Identificador externo del superior', 'Código externo do superior'],
  is_school: ['Is school', 'Es escuela', 'É escola'],
  instructor_name: ['Instructor name', 'Nombre del docente', 'Nome do docente'],
  student_group_name: ['Group name', 'Nombre del grupo', 'Nome da turma'],
  group_based_on: ['Group based on', 'Grupo basado en', 'Turma baseada em'],
  course: ['Course', 'Curso', 'Disciplina'],
  courseExternalId: ['Course external ID', 'Identificador externo del curso', 'Código externo da disciplina'],
  batch: ['Batch', 'Promoción', 'Lote'],
  max_strength: ['Max strength', 'Cupo máximo', 'Lotação máxima'],
  students: ['Students', 'Estudiantes', 'Estudantes'],
  instructors: ['Instructors', 'Docentes', 'Docentes da turma'],
  comment: ['Comment', 'Comentario', 'Comentário'],
}

/** Codes of what is wrong with a file or a row of it, beside the item codes of the Client API. */
export const fileErrorCodes = [
  'open_quote',
  'broken_quote',
  'short_row',
  'long_row',
  'doubled_heading',
  'unknown_heading',
  'mojibake',
  'unknown_encoding',
  'lost_zeros',
  'scientific',
  'ambiguous_date',
  'numeric_key',
  'formula',
  'error_cell',
  'duplicate',
  'reference_not_found',
  'encrypted',
  'broken_workbook',
  'too_large',
  'missing_file',
  'no_manifest',
] as const

export type FileErrorCode = (typeof fileErrorCodes)[number]
