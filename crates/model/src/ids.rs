//! Numbers with a meaning: no bare integer crosses a public signature.

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

            /// The id of position `index`.
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
    /// An object: the unknown thing, numbered by row.
    ObjectId
}
id! {
    /// A test: what can be asked, numbered by column.
    TestId
}
id! {
    /// An answer to one test, numbered by first appearance down its column.
    AnswerId
}
id! {
    /// A group: what we wish to name, numbered by first row.
    GroupId
}
id! {
    /// A node of a [`Tree`](crate::Tree); parents come before their children and the root is 0.
    NodeId
}
