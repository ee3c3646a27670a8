import { Skeleton } from '@mantine/core'
import classes from './painel.module.css'

/** Placeholder of the frame during the request of the current login. */
export function PainelSkeleton() {
  return (
    <div className={classes.frame} aria-hidden="true">
      <Skeleton height={60} radius={0} />
      <div className={classes.main}>
        <Skeleton height={28} width={180} mb="lg" />
        <Skeleton height={280} radius="md" />
      </div>
    </div>
  )
}
