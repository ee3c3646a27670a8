import classes from './legend.module.css'
import { styled } from './styled.ts'

/** Explanation of the colours of a picture. */
export const Legend = styled('ul', classes.legend)

/** Colour of one entry of a legend. */
export const LegendSample = styled('span', classes.sample)
