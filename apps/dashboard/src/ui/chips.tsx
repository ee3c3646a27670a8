import { createLink } from '@tanstack/react-router'
import classes from './chips.module.css'
import { styled } from './styled.ts'

/** Row of filters of which one is chosen. */
export const Chips = styled('nav', classes.filter)

/** Filter as a link of the router. */
export const Chip = createLink(styled('a', classes.chip))

/** Number of entries behind a filter. */
export const ChipCount = styled('span', classes.count)
