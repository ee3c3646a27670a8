import classes from './fields.module.css'
import { styled } from './styled.ts'

/** Fields of a form, one below the other. */
export const Fields = styled('div', classes.fields)

/** Check boxes in columns. */
export const Choices = styled('div', classes.choices)

/** Short fields beside one another, with their button. */
export const FieldRow = styled('div', classes.row)
