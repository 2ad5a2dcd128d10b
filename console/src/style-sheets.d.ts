/** A style sheet of a screen, which comes with its script. */
declare module '*.css'
