/** Props of every icon in the workspace. Source: the design's measures. */
export const iconProps = { size: 18, stroke: 1.5, 'aria-hidden': true } as const;

/** Props of smaller icons, inside badges and small buttons. */
export const smallIconProps = { size: 15, stroke: 1.8, 'aria-hidden': true } as const;
