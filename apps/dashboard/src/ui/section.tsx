import classes from './section.module.css'
import { styled } from './styled.ts'

/** Section of a page below a heading. */
export const Section = styled('section', classes.section)

/** Part of a page or of a dialog, its content in one column. */
export const Part = styled('section', classes.part)
