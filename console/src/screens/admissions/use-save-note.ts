import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { create } from '../../calls/resource-api.ts'

/** Saves a note about an application: the same text is saved once, however often it is sent, until it was. */
export function useSaveNote(applicationCode: string): (text: string) => Promise<void> {
  const queries = useQueryClient()
  const [keys] = useState(() => new Map<string, string>())
  return async (text) => {
    const key = keys.get(text) ?? crypto.randomUUID()
    keys.set(text, key)
    const about = { reference_doctype: 'Student Applicant', reference_name: applicationCode }
    // What was typed is text: nothing of it is markup.
    const content = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    await create('Comment', { comment_type: 'Comment', ...about, content }, key)
    keys.delete(text)
    void queries.invalidateQueries({ queryKey: ['list', 'Comment', applicationCode] })
  }
}
