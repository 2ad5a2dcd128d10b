declare module 'virtual:reader' {
  /** The address of the page that reads PDFs. The build makes it. */
  export const readerPage: string
  /** What the addresses of files that it may ask for begin with. */
  export const besideReader: string
}
