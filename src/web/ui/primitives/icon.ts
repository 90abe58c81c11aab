export const iconProps = { size: 18, stroke: 1.5, 'aria-hidden': true } as const;

export const smallIconProps = { size: 15, stroke: 1.8, 'aria-hidden': true } as const;
