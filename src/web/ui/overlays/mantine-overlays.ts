/** The components whose scripts are loaded after the first screen, see `overlays-on-demand.tsx`. */
export { Drawer, Menu, Modal, Popover, Tooltip, usePopoverContext } from '@mantine/core';
export { Notifications } from '@mantine/notifications';
