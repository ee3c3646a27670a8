import { ScrollArea } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './table.module.css'

interface TableProps {
  readonly label: string
  /** Heading of each column, by its key. */
  readonly columns: readonly (readonly [key: string, heading: string])[]
  /** The rows. */
  readonly children: ReactNode
}

/** Table of numbers; the first column holds names. A narrow screen scrolls it. */
export const Table = ({ label, columns, children }: TableProps) => (
  // A region that scrolls must be reachable by keyboard.
  <ScrollArea className={classes.scroll ?? ''} viewportProps={{ role: 'region', tabIndex: 0, 'aria-label': label }}>
    <table className={classes.table}>
      <thead>
        <tr>
          {columns.map(([key, heading]) => (
            <th key={key} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </ScrollArea>
)
