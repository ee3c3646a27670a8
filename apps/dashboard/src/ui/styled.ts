import { type ComponentProps, createElement, type ReactElement } from 'react'

type Tag =
  | 'a'
  | 'article'
  | 'dd'
  | 'div'
  | 'dl'
  | 'form'
  | 'h1'
  | 'h2'
  | 'h3'
  | 'li'
  | 'nav'
  | 'p'
  | 'pre'
  | 'search'
  | 'section'
  | 'span'
  | 'summary'
  | 'ul'

/** Props of the element, and another tag in place of it. */
type StyledProps<T extends Tag> = ComponentProps<T> & { readonly as?: Tag }

/** Returns a component: an element with the class `name` of a stylesheet. The caller's own class follows. */
export function styled<T extends Tag>(tag: T, name: string | undefined) {
  return ({ as, ...props }: StyledProps<T>): ReactElement =>
    createElement(as ?? tag, { ...props, className: [name, props.className].filter(Boolean).join(' ') })
}
