/** The files of a bundle in the order of the manifest (OneRoster CSV 1.2.1), without `.csv`. */
export const bundleFiles = [
  'academicSessions',
  'categories',
  'classes',
  'classResources',
  'courses',
  'courseResources',
  'demographics',
  'enrollments',
  'lineItemLearningObjectiveIds',
  'lineItems',
  'lineItemScoreScales',
  'orgs',
  'resources',
  'resultLearningObjectiveIds',
  'results',
  'resultScoreScales',
  'roles',
  'scoreScales',
  'userProfiles',
  'userResources',
  'users',
] as const

export type BundleFile = (typeof bundleFiles)[number]

const first = 'sourcedId,status,dateLastModified'

/** The columns of the files that are written, in the standard's order (OneRoster CSV 1.2.1). */
export const fileColumns = {
  academicSessions: `${first},title,type,startDate,endDate,parentSourcedId,schoolYear`.split(','),
  categories: `${first},title,weight`.split(','),
  classes:
    `${first},title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods`.split(
      ',',
    ),
  courses: `${first},schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes`.split(','),
  demographics: [
    ...`${first},birthDate,sex,americanIndianOrAlaskaNative,asian,blackOrAfricanAmerican`.split(','),
    ...'nativeHawaiianOrOtherPacificIslander,white,demographicRaceTwoOrMoreRaces,hispanicOrLatinoEthnicity'.split(','),
    ...'countryOfBirthCode,stateOfBirthAbbreviation,cityOfBirth,publicSchoolResidenceStatus'.split(','),
  ],
  enrollments: `${first},classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate`.split(','),
  lineItems: [
    ...`${first},title,description,assignDate,dueDate,classSourcedId,categorySourcedId`.split(','),
    ...'gradingPeriodSourcedId,resultValueMin,resultValueMax,schoolSourcedId'.split(','),
  ],
  lineItemScoreScales: `${first},lineItemSourcedId,scoreScaleSourcedId`.split(','),
  orgs: `${first},name,type,identifier,parentSourcedId`.split(','),
  results: [
    ...`${first},lineItemSourcedId,studentSourcedId,scoreStatus,score,scoreDate,comment,textScore`.split(','),
    ...'classSourcedId,inProgress,incomplete,late,missing'.split(','),
  ],
  resultScoreScales: `${first},resultSourcedId,scoreScaleSourcedId`.split(','),
  roles: `${first},userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId`.split(','),
  scoreScales: `${first},title,type,orgSourcedId,courseSourcedId,classSourcedId,scoreScaleValue`.split(','),
  users: [
    ...`${first},enabledUser,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone`.split(','),
    ...'agentSourcedIds,grades,password,userMasterIdentifier,preferredGivenName,preferredMiddleName'.split(','),
    ...'preferredFamilyName,primaryOrgSourcedId,pronouns'.split(','),
  ],
} as const satisfies Readonly<Partial<Record<BundleFile, readonly string[]>>>

export type WrittenFile = keyof typeof fileColumns
