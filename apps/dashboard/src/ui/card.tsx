import classes from './card.module.css'
import { styled } from './styled.ts'

/** Card of one record in a list. `data-status`: colour of its left border. */
export const Card = styled('article', classes.card)

/** Name of a record beside its status. */
export const CardHead = styled('div', classes.head)

export const CardName = styled('h2', classes.name)

/** Less important sentence. */
export const CardSoft = styled('p', classes.soft)

/** Facts and times. */
export const CardFacts = styled('p', classes.facts)

/** Reason of the status. */
export const CardReason = styled('p', classes.reason)

/** Sentence that needs attention. */
export const CardAlarm = styled('p', classes.down)

/** Buttons that show more about the record. */
export const CardViews = styled('div', classes.viewButtons)

/** Buttons that change the record, at the bottom of the card. */
export const CardControls = styled('div', classes.controls)
