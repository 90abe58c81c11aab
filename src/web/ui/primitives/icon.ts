/** How every icon of the workspace is drawn. Source: the look's measures. */
export const iconProps = { size: 18, stroke: 1.5, 'aria-hidden': true } as const;

/** The same, smaller: inside badges and small buttons. */
export const smallIconProps = { size: 15, stroke: 1.8, 'aria-hidden': true } as const;
