import { isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * An address as proxies and sockets write it, in one spelling: without a port or brackets, IPv4 in IPv6 as IPv4.
 * @returns 'Unknown' for what is no address
 */
export function normalizeIpAddress(text: string): string {
	const bare = /^\[([^\]]+)\](?::\d+)?$/u.exec(text)?.[1] ?? /^([\d.]+):\d+$/u.exec(text)?.[1] ?? text;
	if (isIPv4(bare)) return bare;
	if (!isIPv6(bare)) return 'Unknown';
	const mapped = /^::ffff:([\d.]+)$/iu.exec(bare)?.[1];
	if (mapped !== undefined && isIPv4(mapped)) return mapped;
	// A zone names an interface of this machine.
	return new URL(`http://[${bare.split('%')[0]}]/`).hostname.slice(1, -1);
}

/**
 * Whose line an address is, for limits: an IPv6 line has a whole /64 (RFC 6177), an IPv4 line its address. Anything else
 * is given back as it is.
 */
export function subscriberPrefixOf(address: string): string {
	if (isIP(address) !== 6) return address;
	return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
}

/** The network that an address lies in: IPv4 without its last number, the first 48 bits of IPv6. Anything else stays. */
export function anonymizeIpAddress(address: string): string {
	const kind = isIP(address);
	if (kind === 4) return address.replace(/\d+$/u, '0');
	return kind === 6 ? normalizeIpAddress(`${ipv6Groups(address).slice(0, 3).join(':')}::`) : address;
}

/** All eight groups of an IPv6 address. */
function ipv6Groups(address: string): string[] {
	const [head = '', tail] = normalizeIpAddress(address).split('::');
	const first = head === '' ? [] : head.split(':');
	const last = tail === undefined || tail === '' ? [] : tail.split(':');
	return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}
