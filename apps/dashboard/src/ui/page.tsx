import classes from './page.module.css'
import { styled } from './styled.ts'

/** Title of a page with its help, its filters and its actions. */
export const PageHead = styled('div', classes.head)

/** Buttons of a page, at the end of its head. */
export const PageActions = styled('div', classes.actions)

/** Filters of a list, above it. */
export const Filters = styled('div', classes.filters)

/** Help or another less important sentence. */
export const Soft = styled('p', classes.soft)

/** List of cards. */
export const CardGrid = styled('ul', classes.grid)
