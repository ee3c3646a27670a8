import { styled } from './styled.ts'
import classes from './tag.module.css'

/** Status as colour, with an icon and a word as its content. `data-status`: the colour. */
export const Tag = styled('span', classes.tag)

/** Word in a frame beside a name. `data-on`: in the colour of a working state. */
export const Badge = styled('span', classes.badge)
