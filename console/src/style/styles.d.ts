/** Style of screens that is loaded with them. */
declare module '*.css' {}
