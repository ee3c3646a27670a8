import type { ReactNode } from 'react'
import classes from './notice.module.css'

export interface NoticeProps {
  readonly icon?: ReactNode
  readonly title: string
  readonly text?: string | undefined
  readonly action?: ReactNode
  readonly role?: 'alert'
}

/** Shown in place of empty or failed content, always with the next step. */
export function Notice({ icon, title, text, action, role }: NoticeProps) {
  return (
    <div className={classes.notice} role={role}>
      {icon && (
        <div className={classes.icon} aria-hidden="true">
          {icon}
        </div>
      )}
      <p className={classes.title}>{title}</p>
      {text && <p className={classes.text}>{text}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
