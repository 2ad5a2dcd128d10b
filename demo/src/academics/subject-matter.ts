/** What fees are for. */
export const feeCategoriesOfDemo = [
  { category_name: 'Semester Registration', description: 'Registration for the semester and its records.' },
  { category_name: 'Library and Media', description: 'Loans, reading rooms and digital collections.' },
  { category_name: 'Student Insurance', description: 'Accidents at the institution and on the way to it.' },
] as const

/** Texts to read. */
export const articlesOfDemo = [
  {
    title: 'How to Read a Diagram',
    content: '<p>Look at the axes first, then at the shape, and only then at single points.</p>',
  },
  {
    title: 'Ten Rules for Clear Sentences',
    content: '<p>One thought for each sentence. Verbs before nouns. Read it aloud.</p>',
  },
  {
    title: 'Safety in the Laboratory',
    content: '<p>Goggles on, hair tied, bags away: what to do before the first flame burns.</p>',
  },
  {
    title: 'Learning for an Examination',
    content: '<p>Little and often, with questions instead of rereading, and enough sleep.</p>',
  },
  { title: 'What Makes a Source Reliable', content: '<p>Who wrote it, when, for whom, and who can check it?</p>' },
] as const

/** Subjects within courses, with what there is to read about them. */
export const topicsOfDemo = [
  {
    topic_name: 'Reading Data',
    description: 'Tables, diagrams and what they hide.',
    articles: ['How to Read a Diagram'],
  },
  { topic_name: 'Writing Well', description: 'From a note to an essay.', articles: ['Ten Rules for Clear Sentences'] },
  {
    topic_name: 'Working Safely',
    description: 'Laboratory, workshop and kitchen.',
    articles: ['Safety in the Laboratory'],
  },
  {
    topic_name: 'Learning to Learn',
    description: 'Methods that last longer than an examination.',
    articles: ['Learning for an Examination', 'What Makes a Source Reliable'],
  },
] as const

/** The topic that every course begins with, and the one that follows it, by the course's place in the catalogue. */
export function topicsOfCourse(position: number): readonly string[] {
  const names = topicsOfDemo.map(({ topic_name }) => topic_name)
  return ['Learning to Learn', names[position % 3] as string]
}
