const paths = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  filter: 'M4 5h16l-6 8v6l-4-2v-4z',
  save: 'M5 12l5 5 9-10',
  file: 'M7 3h7l4 4v14H7zM14 3v5h4',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  up: 'M12 19V6M6 11l6-6 6 6',
  down: 'M12 5v13M6 13l6 6 6-6',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
} as const

/** A sign beside words, or in a button that has a name of its own: it says nothing by itself. */
export function Icon({ of }: { readonly of: keyof typeof paths }) {
  return (
    <svg className="icon-sign" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[of]} />
    </svg>
  )
}
