// Who may connect to the computes of a project: its list of addresses, and the ways in that it blocks.
import { BlockList, isIP } from 'node:net';
import type { ProjectSettings } from '../../../api/index.ts';

/** Origin of a connection. */
export interface ClientOrigin {
  readonly address: string;
  /** Through a private network. */
  readonly isPrivate: boolean;
}

/** Why a client may not connect to a branch; undefined for one that may. */
export function whyNotAllowed(
  settings: ProjectSettings | undefined,
  { isProtected }: { readonly isProtected: boolean },
  { address, isPrivate }: ClientOrigin,
): string | undefined {
  if (isPrivate) return settings?.block_vpc_connections === true ? 'VPC connections are blocked' : undefined;
  if (settings?.block_public_connections === true) return 'public connections are blocked';
  const { ips = [], protected_branches_only: onlyProtected = false } = settings?.allowed_ips ?? {};
  if (ips.length === 0 || (onlyProtected && !isProtected) || isListed(ips, address)) return undefined;
  return `this IP address ${address} is not allowed to connect to this endpoint`;
}

/** Is the address among single ones, CIDR ranges, and ranges from-to? */
export function isListed(rules: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const rule of rules) addRule(list, rule);
  return list.check(address, familyOf(address));
}

function addRule(list: BlockList, rule: string): void {
  const [from = '', to] = rule.split('-').map((part) => part.trim());
  const [base = '', bits] = from.split('/');
  if (to !== undefined) list.addRange(base, to, familyOf(base));
  else if (bits !== undefined) list.addSubnet(base, Number(bits), familyOf(base));
  else list.addAddress(base, familyOf(base));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
