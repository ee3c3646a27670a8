/** The same keys with any texts: another language that lacks a text is a type error. */
export type SameTexts<T> = T extends string ? string : { readonly [Key in keyof T]: SameTexts<T[Key]> }
