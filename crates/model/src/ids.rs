//! Typed numbers: no bare integer crosses a public signature.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable,
        )]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// Index of this id in a slice.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the id of position `index`.
            ///
            /// # Panics
            /// When `index` does not fit 32 bits; tables are refused long before that.
            #[inline]
            pub fn at(index: usize) -> Self {
                Self(u32::try_from(index).expect("ids fit 32 bits: the reader refuses larger tables"))
            }
        }
    };
}

id! {
    /// Number of an object, the unknown thing; objects are numbered by row.
    ObjectId
}
id! {
    /// Number of a test, a question that can be asked; tests are numbered by column.
    TestId
}
id! {
    /// Number of an answer to one test, by first appearance down its column.
    AnswerId
}
id! {
    /// Number of a group, the class to be named; groups are numbered by first row.
    GroupId
}
id! {
    /// Number of a node of a [`Tree`](crate::Tree); parents come before their children and the root is 0.
    NodeId
}
