import classes from './fold.module.css'
import { styled } from './styled.ts'

/** Head of a `<details>` element: a whole row that opens it, without the mark of the browser. */
export const FoldHead = styled('summary', classes.head)
