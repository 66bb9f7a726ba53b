// A value with some of its members changed, where others are made when somebody asks for them.

/** A copy of `whole` with these members. A member that has a getter keeps it: what it stands for is not made by the copying. */
export function withMembers<T extends object>(whole: T, members: Partial<T>): T {
  return Object.create(Object.getPrototypeOf(whole) as object | null, {
    ...Object.getOwnPropertyDescriptors(whole),
    ...Object.getOwnPropertyDescriptors(members),
  }) as T;
}
