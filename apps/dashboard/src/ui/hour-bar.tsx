import classes from './hour-bar.module.css'
import { styled } from './styled.ts'

/** The 24 hours of a day, with a line at each quarter. Its marks are children in absolute position. */
export const HourBar = styled('span', classes.bar)
