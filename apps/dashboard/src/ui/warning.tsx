import { styled } from './styled.ts'
import classes from './warning.module.css'

/** Warning above a page. */
export const Warning = styled('p', classes.warning)

/** Step that the person must do before the next one. */
export const Required = styled('p', classes.required)
