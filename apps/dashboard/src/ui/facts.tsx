import classes from './facts.module.css'
import { styled } from './styled.ts'

/** Measurements of a record: facts, and meters above them. */
export const Measurements = styled('div', classes.health)

/** List of terms and values, each pair in a `<div>`. `data-alarm` on a value: it needs attention. */
export const Facts = styled('dl', classes.facts)
