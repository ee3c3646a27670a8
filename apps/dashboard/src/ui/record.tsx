import classes from './record.module.css'
import { styled } from './styled.ts'

/** List of records in rows. */
export const RecordList = styled('ul', classes.list)

/** One row of a list. `data-open`: it needs attention. */
export const RecordRow = styled('li', classes.record)

export const RecordName = styled('p', classes.name)

/** Kind of the record, below its name. */
export const RecordKind = styled('span', classes.kind)

/** State that needs attention, at the end of the first line. */
export const RecordOpen = styled('p', classes.open)

export const RecordWhen = styled('p', classes.when)

export const RecordReason = styled('p', classes.reason)

export const RecordSoft = styled('p', classes.soft)
